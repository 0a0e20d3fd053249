package dev.ratelimit.testing;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.http.HttpHeaders;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.ratelimit.testing.RateLimitAssertions.assertThatHeaders;

@WebFluxTest(SliceController.class)
@AutoConfigureRateLimit
@ContextConfiguration(classes = SliceApplication.class)
class WebFluxSliceTests {

	@Autowired
	private WebTestClient web;

	@Autowired
	private ManualClock clock;

	private HttpHeaders search(int status) {
		return this.web.get()
			.uri("/search")
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.returnResult(String.class)
			.getResponseHeaders();
	}

	// Each repetition would fail if the previous one left charges.
	@RepeatedTest(2)
	void theClockDrivesBucketsAndHeaders() {
		assertThatHeaders(search(200)::getFirst).hasRemaining("search", 1).hasCapacity("search", 2);
		search(200);
		assertThatHeaders(search(429)::getFirst).hasRetryAfter(Duration.ofSeconds(30));
		this.clock.advance(Duration.ofSeconds(30));
		search(200);
	}

}
