package dev.ratelimit.rule;

import java.util.function.Supplier;

/**
 * Names the culprit of what is wrong.
 *
 * @param culprit the property or method that holds the rule
 */
record Checks(String culprit) {

	void require(boolean condition, String part, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(this.culprit + part, value, reason, action);
		}
	}

	<T> T tried(String part, String value, String action, Supplier<T> attempt) {
		try {
			return attempt.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(this.culprit + part, value, String.valueOf(ex.getMessage()), action);
		}
	}

}
