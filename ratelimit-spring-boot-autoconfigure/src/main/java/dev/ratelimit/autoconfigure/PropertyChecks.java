package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Checks of values of properties below {@code ratelimit}.
 */
final class PropertyChecks {

	private PropertyChecks() {
	}

	static boolean isPositive(Duration duration) {
		return duration.toMillis() >= 1;
	}

	static boolean isUpToAnHour(Duration duration) {
		return isPositive(duration) && duration.compareTo(Duration.ofHours(1)) <= 0;
	}

	static void require(boolean condition, String name, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException("ratelimit." + name, value.toString(), reason, action);
		}
	}

}
