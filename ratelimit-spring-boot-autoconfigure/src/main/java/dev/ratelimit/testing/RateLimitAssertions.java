package dev.ratelimit.testing;

import java.util.function.Function;

import dev.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Entry point for assertions on rate limits.
 *
 * @since 0.1.0
 */
public final class RateLimitAssertions {

	private RateLimitAssertions() {
	}

	/**
	 * Create assertions on a decision.
	 * @param decision the decision
	 * @return the assertions
	 */
	public static DecisionAssert assertThat(@Nullable Decision decision) {
		return new DecisionAssert(decision);
	}

	/**
	 * Create assertions on the headers of a response.
	 * @param headers returns the first value of a header by its name, such as {@code
	 * response::getHeader} or {@code headers::getFirst}
	 * @return the assertions
	 */
	public static LimitHeadersAssert assertThatHeaders(Function<String, @Nullable String> headers) {
		return new LimitHeadersAssert(headers);
	}

}
