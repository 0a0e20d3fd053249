package dev.ratelimit.testing;

import dev.ratelimit.web.RequestGate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpHeaders;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static dev.ratelimit.testing.RateLimitAssertions.assertThatHeaders;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that limits are disabled in tests of controllers by default.
 */
class UnlimitedSliceTests {

	@Nested
	@WebMvcTest(SliceController.class)
	@ContextConfiguration(classes = SliceApplication.class)
	class OnMvc {

		@Test
		void nothingIsLimited(@Autowired MockMvcTester mvc, @Autowired ObjectProvider<RequestGate> gate) {
			for (int i = 0; i < 5; i++) {
				MvcTestResult result = mvc.get().uri("/search").exchange();
				assertThat(result).hasStatus(200);
				assertThatHeaders(result.getResponse()::getHeader).hasNoRateLimitHeaders();
			}
			assertThat(gate.getIfAvailable()).isNull();
		}

	}

	@Nested
	@WebFluxTest(SliceController.class)
	@ContextConfiguration(classes = SliceApplication.class)
	class OnWebFlux {

		@Test
		void nothingIsLimited(@Autowired WebTestClient web, @Autowired ObjectProvider<RequestGate> gate) {
			for (int i = 0; i < 5; i++) {
				HttpHeaders headers = web.get()
					.uri("/search")
					.exchange()
					.expectStatus()
					.isOk()
					.returnResult(String.class)
					.getResponseHeaders();
				assertThatHeaders(headers::getFirst).hasNoRateLimitHeaders();
			}
			assertThat(gate.getIfAvailable()).isNull();
		}

	}

}
