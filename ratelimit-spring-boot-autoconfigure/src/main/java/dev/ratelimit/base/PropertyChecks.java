package dev.ratelimit.base;

import java.time.Duration;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Internal: checks of values of properties below {@code ratelimit}.
 */
public final class PropertyChecks {

	private PropertyChecks() {
	}

	public static boolean isPositive(Duration duration) {
		return duration.toMillis() >= 1;
	}

	public static boolean isUpToAnHour(Duration duration) {
		return isPositive(duration) && duration.compareTo(Duration.ofHours(1)) <= 0;
	}

	public static void require(boolean condition, String name, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException("ratelimit." + name, value.toString(), reason, action);
		}
	}

}
