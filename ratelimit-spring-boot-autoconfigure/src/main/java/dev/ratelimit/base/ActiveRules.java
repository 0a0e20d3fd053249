package dev.ratelimit.base;

import java.util.List;

/**
 * Internal: the rules that have become active, with the paths of the handlers that name
 * them. Immutable.
 *
 * @param rules all rules
 * @param phased whether an authentication lies between the phases
 */
public record ActiveRules(List<RuleReach> rules, boolean phased) {

	public ActiveRules {
		rules = List.copyOf(rules);
	}

}
