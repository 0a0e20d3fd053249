package dev.ratelimit.rule;

import dev.ratelimit.RuleMode;

/**
 * Internal: the modes in which rules are active, which may be others than the written
 * ones. Answers at once, and the same for equal rules.
 */
@FunctionalInterface
public interface RuleModes {

	/** The modes that are written. */
	RuleModes WRITTEN = (rule) -> rule.reaction().mode();

	/**
	 * The mode of a rule.
	 * @param rule the rule as it is written
	 * @return the mode in which it is active
	 */
	RuleMode of(Rule rule);

}
