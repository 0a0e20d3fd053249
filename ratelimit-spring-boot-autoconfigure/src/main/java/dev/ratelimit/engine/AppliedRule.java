package dev.ratelimit.engine;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: a rule, applied to a subject. Immutable.
 *
 * @param rule the rule
 * @param tier the rule's numbers for this caller
 * @param subject whose buckets, in canonical form
 * @param cost the units to charge
 */
public record AppliedRule(CompiledRule rule, CompiledLimits tier, String subject, long cost) {

	/**
	 * The rule's id.
	 * @return the id
	 */
	public String id() {
		return this.rule.id();
	}

	/**
	 * A use by a caller without a plan of its own.
	 * @param rule the rule
	 * @param subject whose buckets, in canonical form
	 * @param cost the units to charge
	 * @return the use
	 */
	public static AppliedRule of(CompiledRule rule, String subject, long cost) {
		return new AppliedRule(rule, rule.limits(subject), subject, cost);
	}

	/**
	 * This use by a request of a level.
	 * @param level the level
	 * @return the use
	 */
	AppliedRule at(Level level) {
		return (this.tier.levels().isEmpty()) ? this
				: new AppliedRule(this.rule, this.tier.of(level), this.subject, this.cost);
	}

	/**
	 * A use by a client that the rule does not limit. Charges nothing.
	 * @param rule the rule
	 * @return the use
	 */
	public static AppliedRule bypassed(CompiledRule rule) {
		return new AppliedRule(rule, CompiledLimits.BYPASSED, Subjects.GLOBAL,
				Math.max(1, rule.rule().numbers().cost().units()));
	}

	/**
	 * A use by a client that the rule rejects. Charges nothing.
	 * @param rule the rule
	 * @return the use
	 */
	public static AppliedRule banned(CompiledRule rule) {
		return new AppliedRule(rule, CompiledLimits.BANNED, Subjects.GLOBAL,
				Math.max(1, rule.rule().numbers().cost().units()));
	}

	/**
	 * Whether the rule has no bucket for this caller, so that its subject is unknown.
	 * @return whether the rule bypasses or bans the caller
	 */
	public boolean exempt() {
		return switch (this.tier.kind()) {
			case BYPASSED, BANNED, PAUSED -> true;
			case LIMITED, UNLIMITED, BLOCKED -> false;
		};
	}

	boolean estimated() {
		return this.rule.estimated();
	}

}
