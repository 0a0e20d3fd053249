package dev.ratelimit.rule;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Creates exceptions that name the invalid property.
 *
 * @param location the property or method that holds the rule
 * @param warnings receives what works but is probably not intended
 */
record Checks(String location, Consumer<String> warnings) {

	/** For what does not know where it is written. */
	static final Checks UNPLACED = new Checks("rule", (warning) -> {
	});

	// The value becomes text only if it is wrong: rules are made often, and are right.
	void require(boolean condition, String part, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(this.location + part, value.toString(), reason, action);
		}
	}

	void warnIf(boolean condition, String part, String value, String text) {
		if (condition) {
			this.warnings.accept(this.location + part + " = '" + value + "': " + text);
		}
	}

	<T> T tried(String part, String value, String action, Supplier<T> attempt) {
		try {
			return attempt.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(this.location + part, value, String.valueOf(ex.getMessage()), action);
		}
	}

	<T> T placed(Supplier<T> attempt) {
		try {
			return attempt.get();
		}
		catch (InvalidRuleException ex) {
			throw new InvalidRuleException(this.location + ex.location().substring(UNPLACED.location.length()),
					ex.value(), ex.reason(), ex.action());
		}
	}

}
