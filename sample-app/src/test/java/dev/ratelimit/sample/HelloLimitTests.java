package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.testing.AutoConfigureRateLimit;
import dev.ratelimit.testing.ManualClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static dev.ratelimit.testing.RateLimitAssertions.assertThatHeaders;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of limits as users write them, with a clock that the test controls.
 */
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureRateLimit
class HelloLimitTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private ManualClock clock;

	private MvcTestResult hello() {
		return this.mvc.get().uri("/api/hello").exchange();
	}

	@Test
	void anEmptyBucketFillsAgain() {
		for (int left = 9; left >= 0; left--) {
			assertThatHeaders(hello().getResponse()::getHeader).hasRemaining("hello-controller-hello", left);
		}
		MvcTestResult refused = hello();
		assertThat(refused).hasStatus(429);
		assertThatHeaders(refused.getResponse()::getHeader).hasRetryAfter(Duration.ofSeconds(6));
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(hello()).hasStatusOk();
		assertThat(hello()).hasStatus(429);
	}

	@Test
	void aDayPassesInNoTime() {
		assertThat(hello()).hasStatusOk();
		this.clock.advance(Duration.ofDays(1));
		assertThatHeaders(hello().getResponse()::getHeader).hasRemaining("hello-controller-hello", 9);
	}

}
