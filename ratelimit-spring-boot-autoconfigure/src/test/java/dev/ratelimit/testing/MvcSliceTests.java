package dev.ratelimit.testing;

import java.time.Duration;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static dev.ratelimit.testing.RateLimitAssertions.assertThatHeaders;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@WebMvcTest(SliceController.class)
@AutoConfigureRateLimit
@ContextConfiguration(classes = SliceApplication.class)
@Import(MvcSliceTests.Quotes.class)
@TestPropertySource(properties = { "ratelimit.enabled=false", "ratelimit.store=redis" })
class MvcSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private ManualClock clock;

	@Autowired
	private RateLimiter limiter;

	private MvcTestResult search() {
		return this.mvc.get().uri("/search").exchange();
	}

	// Each repetition would fail if the previous one left charges.
	@RepeatedTest(2)
	void theClockDrivesBucketsAndHeaders() {
		assertThatHeaders(search().getResponse()::getHeader).hasRemaining("search", 1).hasCapacity("search", 2);
		assertThat(search().getResponse().getHeader("X-RateLimit-Reset"))
			.isEqualTo(Long.toString(ManualClock.START.getEpochSecond() + 30));
		MvcTestResult rejected = search();
		assertThat(rejected).hasStatus(429);
		assertThatHeaders(rejected.getResponse()::getHeader).hasRemaining("search", 0)
			.hasRetryAfter(Duration.ofSeconds(30));
		this.clock.advance(Duration.ofMillis(29_999));
		assertThat(search()).hasStatus(429);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(search()).hasStatus(200);
	}

	@Test
	void methodsOfImportedBeansAreLimited(@Autowired Quotes quotes) {
		assertThat(quotes.quote()).isEqualTo("bought");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quotes::quote)
			.withMessageContaining("quotes");
		this.clock.advance(Duration.ofHours(1));
		assertThat(quotes.quote()).isEqualTo("bought");
	}

	@Test
	void decisionsOfCodeAreDrivenToo() {
		RateLimitAssertions.assertThat(this.limiter.acquire("search", "user:42").block())
			.isAllowed()
			.hasRemaining("search", 1);
		RateLimitAssertions.assertThat(this.limiter.acquire("search", "user:42", 2).block())
			.isRejected()
			.hasRetryAfter("search", Duration.ofSeconds(30));
	}

	static class Quotes {

		@RateLimited(id = "quotes", value = "1/h", key = "global")
		String quote() {
			return "bought";
		}

	}

}
