package dev.ratelimit.testing;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Demands;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static dev.ratelimit.testing.RateLimitAssertions.assertThat;
import static dev.ratelimit.testing.RateLimitAssertions.assertThatHeaders;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitAssertionsTests {

	private static Decision decision(boolean allowed) {
		Verdict verdict = new Verdict(Demands.perMinute("search", 10).policy(),
				(allowed) ? Outcome.ALLOWED : Outcome.REJECTED, 1, (allowed) ? 9 : 0, (allowed) ? 0 : 6000, 6000, 6000);
		return new Decision(allowed, (allowed) ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED, Source.LOCAL,
				List.of(verdict));
	}

	private static void fails(ThrowingCallable assertion, String... words) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.satisfies((error) -> Assertions.assertThat(error).hasMessageContainingAll(words));
	}

	@Test
	void trueAssertionOnDecisionPasses() {
		assertThat(decision(true)).isAllowed()
			.hasReason(Reason.WITHIN_LIMITS)
			.hasRemaining("search", 9)
			.hasRetryAfter("search", Duration.ZERO);
		assertThat(decision(false)).isRejected().hasRetryAfter("search", Duration.ofSeconds(6));
	}

	@Test
	void falseAssertionOnDecisionFailsWithReason() {
		fails(() -> assertThat(decision(false)).isAllowed(), "it is rejected");
		fails(() -> assertThat(decision(true)).isRejected(), "it is allowed");
		fails(() -> assertThat(decision(true)).hasReason(Reason.BLOCKED), "BLOCKED", "WITHIN_LIMITS");
		fails(() -> assertThat(decision(true)).hasRemaining("search", 8), "'search'", "8", "9");
		fails(() -> assertThat(decision(true)).hasRemaining("find", 9), "'find'", "[search]");
		fails(() -> assertThat(decision(false)).hasRetryAfter("search", Duration.ofSeconds(5)), "PT5S", "PT6S");
		fails(() -> assertThat((Decision) null).isAllowed(), "not to be null");
	}

	@Test
	void trueAssertionOnHeadersPasses() {
		Map<String, String> headers = Map.of("RateLimit", "\"day\";r=7;t=9, \"a.b\";t=1;r=0", "RateLimit-Policy",
				"\"day\";q=100;w=60", "Retry-After", "12");
		assertThatHeaders(headers::get).hasRemaining("day", 7)
			.hasRemaining("a.b", 0)
			.hasCapacity("day", 100)
			.hasRetryAfter(Duration.ofSeconds(12));
		assertThatHeaders(Map.<String, String>of()::get).hasNoRateLimitHeaders();
	}

	@Test
	void falseAssertionOnHeadersFailsWithReason() {
		Map<String, String> headers = Map.of("RateLimit", "\"day\";r=7, \"a.b\";r=0");
		fails(() -> assertThatHeaders(headers::get).hasRemaining("day", 0), "\"day\";r=0", "\"day\";r=7");
		fails(() -> assertThatHeaders(headers::get).hasRemaining("axb", 0), "axb");
		fails(() -> assertThatHeaders(headers::get).hasCapacity("day", 7), "RateLimit-Policy", "null");
		fails(() -> assertThatHeaders(headers::get).hasRetryAfter(Duration.ofSeconds(1)), "Retry-After: 1", "null");
		fails(() -> assertThatHeaders(headers::get).hasNoRateLimitHeaders(), "no 'RateLimit'");
	}

}
