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
 * @param options what the rule does
 * @param programmatic whether code alone calls the rule
 */
public record RuleDefinition(Rule.Match match, List<String> key, LimitSetDefinition quota,
		Map<String, LimitSetDefinition> plans, RuleOptions options, boolean programmatic) {

	/** Nothing written. */
	public static final RuleDefinition EMPTY = new RuleDefinition(Rule.Match.NONE, List.of(), LimitSetDefinition.EMPTY,
			Map.of(), RuleOptions.EMPTY, false);

	/**
	 * This definition, and another one's values where this one has none.
	 * @param base the other definition
	 * @return the two together
	 */
	public RuleDefinition over(RuleDefinition base) {
		return new RuleDefinition(this.match.over(base.match), (this.key.isEmpty()) ? base.key : this.key,
				this.quota.over(base.quota), plansOver(base.plans), this.options.over(base.options),
				this.programmatic || base.programmatic);
	}

	private Map<String, LimitSetDefinition> plansOver(Map<String, LimitSetDefinition> base) {
		Map<String, LimitSetDefinition> all = new LinkedHashMap<>(base);
		this.plans.forEach((name, numbers) -> all.merge(name, numbers, (lower, upper) -> upper.over(lower)));
		return all;
	}

	/**
	 * Whether this is a rule without any other layer.
	 * @return whether there is a limit, and a way to reach the rule
	 */
	public boolean isWhole() {
		return !this.quota.limits().isEmpty() && (!this.match.paths().isEmpty() || this.programmatic);
	}

}
