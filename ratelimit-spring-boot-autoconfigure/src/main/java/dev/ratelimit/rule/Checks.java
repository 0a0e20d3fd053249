package dev.ratelimit.rule;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Creates exceptions that name the invalid property.
 *
 * @param location the property or method that holds the rule
 * @param warnings receives warnings of rules that work but are probably not intended
 */
record Checks(String location, Consumer<String> warnings) {

	/** Checks for values without a known location. */
	static final Checks UNPLACED = new Checks("rule", (warning) -> {
	});

	// The value is converted to text only if it is invalid, because most rules are valid.
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
