package dev.ratelimit.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Internal: a rule as written in one place; omitted values are empty. Definitions of one
 * rule override each other and the defaults. Immutable.
 *
 * @param match the requests that the rule applies to
 * @param key the key's parts in text form
 * @param quota the numbers
 * @param plans numbers that replace the rule's own, by plan
 * @param overrides numbers that replace all others, by the value of the key
 * @param options the options of the rule
 */
public record RuleDefinition(Rule.Match match, List<String> key, LimitSetDefinition quota,
		Map<String, LimitSetDefinition> plans, Map<String, LimitSetDefinition> overrides, RuleOptions options) {

	/** No values. */
	public static final RuleDefinition EMPTY = new RuleDefinition(Rule.Match.NONE, List.of(), LimitSetDefinition.EMPTY,
			Map.of(), RuleOptions.EMPTY);

	/**
	 * A definition without overrides.
	 * @param match the requests that the rule applies to
	 * @param key the key's parts in text form
	 * @param quota the numbers
	 * @param plans numbers that replace the rule's own, by plan
	 * @param options the options of the rule
	 */
	public RuleDefinition(Rule.Match match, List<String> key, LimitSetDefinition quota,
			Map<String, LimitSetDefinition> plans, RuleOptions options) {
		this(match, key, quota, plans, Map.of(), options);
	}

	/**
	 * Return this definition, completed by the values of another definition.
	 * @param base the other definition
	 * @return the combined definition
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
	 * Whether this definition is complete without other layers.
	 * @return whether there is a limit, and a way to reach the rule
	 */
	public boolean isWhole() {
		boolean limits = !this.quota.limits().isEmpty() || !this.plans.isEmpty();
		return limits && (!this.match.paths().isEmpty() || this.match.programmatic()
				|| this.options.find(RuleOptions.DESCRIPTOR).isPresent()
				|| this.options.find(RuleOptions.GRAPHQL).isPresent());
	}

}
