package dev.ratelimit;

import java.util.OptionalLong;

/**
 * A charge of one rule to one subject, for {@link RateLimiter}. Immutable.
 *
 * @param ruleId the rule
 * @param subject the subject, such as {@code user:42}
 * @param cost the units to charge, at least 0; 0 only reads the limits, and empty charges
 * the rule's own cost. A negative cost causes an {@link IllegalArgumentException}
 * @since 0.1.0
 */
public record RuleCharge(String ruleId, String subject, OptionalLong cost) {

	public RuleCharge {
		if (cost.isPresent() && cost.getAsLong() < 0) {
			throw new IllegalArgumentException("'cost' (" + cost.getAsLong() + ") must not be negative");
		}
	}

	/**
	 * Create a charge of the rule's own cost.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the charge
	 */
	public static RuleCharge of(String ruleId, String subject) {
		return new RuleCharge(ruleId, subject, OptionalLong.empty());
	}

	/**
	 * Create a charge of a given cost.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost the units to charge, at least 0; 0 only reads the limits
	 * @return the charge
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public static RuleCharge of(String ruleId, String subject, long cost) {
		return new RuleCharge(ruleId, subject, OptionalLong.of(cost));
	}

}
