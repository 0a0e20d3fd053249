package dev.ratelimit.engine;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: a rule, applied to a subject. Immutable.
 *
 * @param rule the rule
 * @param limits the rule's limits for this client
 * @param subject the subject that selects the buckets, in canonical form
 * @param cost the units to charge
 */
public record AppliedRule(CompiledRule rule, CompiledLimits limits, String subject, long cost) {

	/**
	 * The rule's id.
	 * @return the id
	 */
	public String id() {
		return this.rule.id();
	}

	/**
	 * Apply a rule to a client without a plan.
	 * @param rule the rule
	 * @param subject the subject that selects the buckets, in canonical form
	 * @param cost the units to charge
	 * @return the applied rule
	 */
	public static AppliedRule of(CompiledRule rule, String subject, long cost) {
		return new AppliedRule(rule, rule.limits(subject), subject, cost);
	}

	/**
	 * Return this applied rule for a request of a level.
	 * @param level the level
	 * @return the applied rule
	 */
	AppliedRule at(Level level) {
		return (this.limits.levels().isEmpty()) ? this
				: new AppliedRule(this.rule, this.limits.of(level), this.subject, this.cost);
	}

	/**
	 * Return this applied rule for a request without cost.
	 * @return the applied rule
	 */
	AppliedRule free() {
		return new AppliedRule(this.rule, this.limits, this.subject, 0);
	}

	/**
	 * A rule applied to a client that it does not limit. No bucket is charged.
	 * @param rule the rule
	 * @return the applied rule
	 */
	public static AppliedRule bypassed(CompiledRule rule) {
		return new AppliedRule(rule, CompiledLimits.BYPASSED, Subjects.GLOBAL, rule.units());
	}

	/**
	 * A rule applied to a client that it rejects. No bucket is charged.
	 * @param rule the rule
	 * @return the applied rule
	 */
	public static AppliedRule denied(CompiledRule rule) {
		return new AppliedRule(rule, CompiledLimits.DENY_LISTED, Subjects.GLOBAL, rule.units());
	}

	/**
	 * Whether the subject was resolved.
	 * @return false if the client is on a list, so that the rule needs no subject
	 */
	public boolean hasSubject() {
		return this.limits.kind() != CompiledLimits.Kind.BYPASSED
				&& this.limits.kind() != CompiledLimits.Kind.DENY_LISTED;
	}

	/**
	 * Whether the rule charges no bucket for this client.
	 * @return whether the client bypasses the rule, or the rule rejects it without a
	 * charge
	 */
	public boolean exempt() {
		return switch (this.limits.kind()) {
			case BYPASSED, DENY_LISTED, BANNED, PAUSED -> true;
			case LIMITED, UNLIMITED, BLOCKED -> false;
		};
	}

	boolean estimated() {
		return this.rule.estimated();
	}

}
