package dev.ratelimit.testing;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on what a response's headers say of limits.
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
	 * {@code RateLimit} says that a limit has so much left.
	 * @param limit the name of the limit
	 * @param remaining whole units
	 * @return this
	 */
	public LimitHeadersAssert hasRemaining(String limit, long remaining) {
		return has("RateLimit", limit, "r", remaining);
	}

	/**
	 * {@code RateLimit-Policy} says how much a limit allows.
	 * @param limit the name of the limit
	 * @param quota whole units
	 * @return this
	 */
	public LimitHeadersAssert hasQuota(String limit, long quota) {
		return has("RateLimit-Policy", limit, "q", quota);
	}

	/**
	 * {@code Retry-After} names a wait.
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
	 * No header says anything of limits.
	 * @return this
	 */
	public LimitHeadersAssert saysNothingOfLimits() {
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
