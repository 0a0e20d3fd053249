package dev.ratelimit.rule;

import java.util.Optional;

/**
 * Internal: a rule as one place defines it, without defaults. Immutable.
 *
 * @param location the property or method that messages name
 * @param definition the definition
 * @param change the last change there, for live rules only
 */
public record WrittenRule(String location, RuleDefinition definition, Optional<LiveChange> change) {

	/**
	 * Create a rule that is not a live rule.
	 * @param location the property or method that messages name
	 * @param definition the definition
	 */
	public WrittenRule(String location, RuleDefinition definition) {
		this(location, definition, Optional.empty());
	}

	/**
	 * Create a live rule.
	 * @param id its id
	 * @param definition the definition
	 * @param change the last change
	 * @return the rule
	 */
	public static WrittenRule live(String id, RuleDefinition definition, LiveChange change) {
		return new WrittenRule(change.location(id), definition, Optional.of(change));
	}

}
