package dev.ratelimit.rule;

import java.util.Set;

/**
 * Internal: the rules that a method is exempt from. Immutable.
 *
 * @param all whether it is exempt from every rule
 * @param rules the ids of the rules that it is exempt from, unless it is exempt from all
 */
public record Exemption(boolean all, Set<String> rules) {

	/** No exemption. */
	public static final Exemption NONE = new Exemption(false, Set.of());

	private static final Exemption ALL = new Exemption(true, Set.of());

	public Exemption {
		rules = Set.copyOf(rules);
	}

	/**
	 * Return an exemption as declared.
	 * @param rules ids of rules; none means all
	 * @return the exemption
	 */
	static Exemption from(Set<String> rules) {
		return (rules.isEmpty()) ? ALL : new Exemption(false, rules);
	}

	/**
	 * Return whether the method is exempt from a rule.
	 * @param ruleId the rule's id
	 * @return whether the method is exempt from it
	 */
	public boolean covers(String ruleId) {
		return this.all || this.rules.contains(ruleId);
	}

}
