package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@AutoConfigureWebTestClient
class StockApplicationTests {

	@Autowired
	private WebTestClient http;

	@Test
	void anItemIsStored() {
		this.http.post()
			.uri("/items")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"name\":\"screw\",\"count\":7}")
			.exchange()
			.expectStatus()
			.isCreated();
		this.http.get().uri("/items").exchange().expectStatus().isOk().expectBody().jsonPath("$[0].count").isEqualTo(7);
	}

	@Test
	void anUnknownItemIsNotFound() {
		this.http.get().uri("/items/4711").exchange().expectStatus().isNotFound();
	}

	@Test
	void brokenJsonIsRejected() {
		this.http.post()
			.uri("/items")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{")
			.exchange()
			.expectStatus()
			.isBadRequest();
	}

}
