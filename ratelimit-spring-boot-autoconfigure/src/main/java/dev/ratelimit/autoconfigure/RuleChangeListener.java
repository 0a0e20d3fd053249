package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.base.RuleReach;

/**
 * Internal: is handed the rules whenever they come into force, with the paths of the
 * handlers that name them.
 */
@FunctionalInterface
public interface RuleChangeListener {

	/**
	 * Look at the active rules.
	 * @param rules all rules
	 * @param phased whether an authentication lies between the phases
	 */
	void use(List<RuleReach> rules, boolean phased);

}
