package dev.ratelimit.rule;

import dev.ratelimit.RuleMode;

/**
 * Internal: the active modes of rules, which may differ from the configured modes. Does
 * not block, and returns the same mode for equal rules.
 */
@FunctionalInterface
public interface RuleModes {

	/** The configured modes. */
	RuleModes WRITTEN = (rule) -> rule.reaction().mode();

	/**
	 * The mode of a rule.
	 * @param rule the rule as configured
	 * @return the mode in which it is active
	 */
	RuleMode of(Rule rule);

}
