package dev.ratelimit.engine;

/**
 * A rule, applied to somebody. Immutable.
 *
 * @param rule the rule
 * @param tier the rule's numbers for this caller
 * @param subject whose buckets, in canonical form
 * @param cost what is asked for
 * @since 0.1.0
 */
public record RuleUse(CompiledRule rule, Tier tier, String subject, long cost) {

	/**
	 * A use by a caller without a plan of its own.
	 * @param rule the rule
	 * @param subject whose buckets, in canonical form
	 * @param cost what is asked for
	 * @return the use
	 */
	public static RuleUse of(CompiledRule rule, String subject, long cost) {
		return new RuleUse(rule, rule.own(), subject, cost);
	}

	boolean estimated() {
		return this.rule.rule().cost().estimated();
	}

}
