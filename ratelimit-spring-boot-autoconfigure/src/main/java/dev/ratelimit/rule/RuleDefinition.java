package dev.ratelimit.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Internal: a rule as written in one place: what is left out is empty. Definitions of one
 * rule are laid over each other, and over the defaults. Immutable.
 *
 * @param match which requests
 * @param key the key's parts in text form
 * @param quota the numbers
 * @param plans numbers that replace the rule's own, by plan
 * @param overrides numbers that replace all others, by the value of the key
 * @param options what the rule does
 */
public record RuleDefinition(Rule.Match match, List<String> key, LimitSetDefinition quota,
		Map<String, LimitSetDefinition> plans, Map<String, LimitSetDefinition> overrides, RuleOptions options) {

	/** Nothing written. */
	public static final RuleDefinition EMPTY = new RuleDefinition(Rule.Match.NONE, List.of(), LimitSetDefinition.EMPTY,
			Map.of(), RuleOptions.EMPTY);

	/**
	 * A definition without overrides.
	 * @param match which requests
	 * @param key the key's parts in text form
	 * @param quota the numbers
	 * @param plans numbers that replace the rule's own, by plan
	 * @param options what the rule does
	 */
	public RuleDefinition(Rule.Match match, List<String> key, LimitSetDefinition quota,
			Map<String, LimitSetDefinition> plans, RuleOptions options) {
		this(match, key, quota, plans, Map.of(), options);
	}

	/**
	 * This definition, and another one's values where this one has none.
	 * @param base the other definition
	 * @return the two together
	 */
	public RuleDefinition over(RuleDefinition base) {
		return new RuleDefinition(this.match.over(base.match), (this.key.isEmpty()) ? base.key : this.key,
				this.quota.over(base.quota), over(this.plans, base.plans), over(this.overrides, base.overrides),
				this.options.over(base.options));
	}

	private static Map<String, LimitSetDefinition> over(Map<String, LimitSetDefinition> own,
			Map<String, LimitSetDefinition> base) {
		Map<String, LimitSetDefinition> all = new LinkedHashMap<>(base);
		own.forEach((name, numbers) -> all.merge(name, numbers, (lower, upper) -> upper.over(lower)));
		return all;
	}

	RuleDefinition with(List<String> otherKey) {
		return new RuleDefinition(this.match, otherKey, this.quota, this.plans, this.overrides, this.options);
	}

	/**
	 * Whether this is a rule without any other layer.
	 * @return whether there is a limit, and a way to reach the rule
	 */
	boolean isWhole() {
		boolean limits = !this.quota.limits().isEmpty() || !this.plans.isEmpty();
		return limits && (!this.match.paths().isEmpty() || this.match.programmatic()
				|| this.options.find(RuleOptions.DESCRIPTOR).isPresent()
				|| this.options.find(RuleOptions.GRAPHQL).isPresent());
	}

}
