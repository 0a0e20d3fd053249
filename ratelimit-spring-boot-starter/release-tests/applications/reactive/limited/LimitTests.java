package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient;

// Other rules create another context, so that requests of other tests are not charged
// here.
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = "ratelimit.rules.items=/items 3/h per ip")
@AutoConfigureWebTestClient
class LimitTests {

	@Autowired
	private WebTestClient http;

	@Test
	void theRuleLimitsItsPathAndNoOther() {
		for (int remaining = 2; remaining >= 0; remaining--) {
			this.http.get()
				.uri("/items")
				.exchange()
				.expectStatus()
				.isOk()
				.expectHeader()
				.valueMatches("RateLimit", "\"items\";r=" + remaining + ";t=\\d+");
		}
		this.http.get().uri("/items").exchange().expectStatus().isEqualTo(429).expectHeader().valueMatches("Retry-After", "\\d+");
		this.http.get().uri("/items/4711").exchange().expectStatus().isNotFound().expectHeader().doesNotExist("RateLimit");
	}

}
