package example

import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient
import org.springframework.test.web.reactive.server.WebTestClient

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@AutoConfigureWebTestClient
class QuotesApplicationTests(@Autowired private val http: WebTestClient) {

	@Test
	fun `a quote is returned`() {
		http.get().uri("/quotes/ACME").exchange().expectStatus().isOk.expectBody().jsonPath("$.cents").isEqualTo(400)
	}

	@Test
	fun `all quotes are returned`() {
		http.get().uri("/quotes").exchange().expectStatus().isOk.expectBody().jsonPath("$.length()").isEqualTo(3)
	}

}
