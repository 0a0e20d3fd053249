package dev.ratelimit.testing;

import java.util.function.Function;

import dev.ratelimit.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Where assertions on limits begin.
 *
 * @since 0.1.0
 */
public final class RateLimitAssertions {

	private RateLimitAssertions() {
	}

	/**
	 * Assert something of a decision.
	 * @param decision the decision
	 * @return assertions on it
	 */
	public static DecisionAssert assertThat(@Nullable Decision decision) {
		return new DecisionAssert(decision);
	}

	/**
	 * Assert something of a response's headers, whoever has received them.
	 * @param headers gives the first value of a header by its name, such as
	 * {@code response::getHeader} or {@code headers::getFirst}
	 * @return assertions on them
	 */
	public static LimitHeadersAssert assertThatHeaders(Function<String, @Nullable String> headers) {
		return new LimitHeadersAssert(headers);
	}

}
