package dev.ratelimit.base;

/**
 * Internal: receives the rules whenever they become active.
 */
@FunctionalInterface
public interface RuleChangeListener {

	/**
	 * Other rules are active.
	 * @param rules the rules
	 */
	void changed(ActiveRules rules);

}
