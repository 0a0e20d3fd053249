package dev.ratelimit.rule;

import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the numbers that a rule has for some values of its key, and rejects those that
 * can never work.
 *
 * @param limits makes numbers
 */
record OverrideFactory(LimitSetFactory limits) {

	/** Each is compiled, and shown wherever the rule is. */
	private static final int MAX_OVERRIDES = 1000;

	/** Subjects have hashes in the place of longer values. */
	private static final int MAX_CHARACTERS = 128;

	Map<String, LimitSet> overrides(RuleDefinition definition, LimitSet own) {
		Map<String, LimitSetDefinition> written = definition.overrides();
		Checks checks = this.limits.checks();
		checks.require(written.size() <= MAX_OVERRIDES, ".overrides", written.size() + " entries",
				"a rule can have at most " + MAX_OVERRIDES + " overrides", "Remove some, or use 'plans'.");
		Map<String, LimitSet> overrides = new TreeMap<>();
		written.forEach((value, numbers) -> {
			checks.require(!value.isBlank() && value.length() <= MAX_CHARACTERS, ".overrides", value,
					"the value of a key must have 1 to " + MAX_CHARACTERS + " characters", "Correct the value.");
			String part = ".overrides[" + value + "]";
			LimitSet made = this.limits.quota(part, numbers.over(definition.quota().withoutNumbers()));
			checks.require(!isConcurrent(made) || isConcurrent(own), part, made.limits().toString(),
					"only a rule that limits concurrent requests can override it", "Use another algorithm.");
			overrides.put(value, made);
		});
		return overrides;
	}

	private static boolean isConcurrent(LimitSet set) {
		return set.limits().stream().anyMatch((limit) -> limit.concurrent());
	}

}
