package dev.ratelimit.testing;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the rate limit headers of a response.
 *
 * @since 0.1.0
 */
public final class LimitHeadersAssert extends AbstractAssert<LimitHeadersAssert, Function<String, @Nullable String>> {

	private static final List<String> ALL = List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit",
			"X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After");

	LimitHeadersAssert(Function<String, @Nullable String> headers) {
		super(headers, LimitHeadersAssert.class);
	}

	/**
	 * Verify the remaining units of a limit in {@code RateLimit}.
	 * @param limit the name of the limit
	 * @param remaining the remaining whole units
	 * @return this
	 */
	public LimitHeadersAssert hasRemaining(String limit, long remaining) {
		return has("RateLimit", limit, "r", remaining);
	}

	/**
	 * Verify the capacity of a limit in {@code RateLimit-Policy}.
	 * @param limit the name of the limit
	 * @param quota the capacity in whole units
	 * @return this
	 */
	public LimitHeadersAssert hasCapacity(String limit, long quota) {
		return has("RateLimit-Policy", limit, "q", quota);
	}

	/**
	 * Verify the wait in {@code Retry-After}.
	 * @param wait the wait, in whole seconds
	 * @return this
	 */
	public LimitHeadersAssert hasRetryAfter(Duration wait) {
		String found = this.actual.apply("Retry-After");
		if (!Long.toString(wait.toSeconds()).equals(found)) {
			failWithMessage("Expected 'Retry-After: %s', but it is: %s", wait.toSeconds(), found);
		}
		return this;
	}

	/**
	 * Verify that there are no rate limit headers.
	 * @return this
	 */
	public LimitHeadersAssert hasNoRateLimitHeaders() {
		for (String name : ALL) {
			String found = this.actual.apply(name);
			if (found != null) {
				failWithMessage("Expected no '%s', but it is: %s", name, found);
			}
		}
		return this;
	}

	private LimitHeadersAssert has(String header, String limit, String parameter, long number) {
		String field = this.actual.apply(header);
		Matcher item = Pattern
			.compile("\"" + Pattern.quote(limit) + "\"(?:;[^,]*?)?;\\s*" + parameter + "=(\\d+)(?=[;,]|$)")
			.matcher((field != null) ? field : "");
		if (!item.find() || Long.parseLong(item.group(1)) != number) {
			failWithMessage("Expected '%s' to contain \"%s\";%s=%s, but it is: %s", header, limit, parameter, number,
					field);
		}
		return this;
	}

}
