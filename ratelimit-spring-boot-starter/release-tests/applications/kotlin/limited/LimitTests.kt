package example

import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient
import org.springframework.test.web.reactive.server.WebTestClient

// Other rules create another context, so that requests of other tests are not charged
// here.
@SpringBootTest(
	webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
	properties = ["ratelimit.rules.quotes=/quotes/* 3/h per ip"]
)
@AutoConfigureWebTestClient
class LimitTests(@Autowired private val http: WebTestClient) {

	@Test
	fun `the rule limits its path and no other`() {
		repeat(3) { http.get().uri("/quotes/ACME").exchange().expectStatus().isOk }
		http.get().uri("/quotes/ACME").exchange().expectStatus().isEqualTo(429)
			.expectHeader().valueMatches("Retry-After", "\\d+")
		http.get().uri("/quotes").exchange().expectStatus().isOk.expectHeader().doesNotExist("RateLimit")
	}

}
