package dev.ratelimit;

import java.util.concurrent.CompletionStage;

/**
 * Access to the decision on the current request, and to its charges. Handler methods can
 * declare it as a parameter. It is also an attribute of the request, or of the exchange
 * on WebFlux. Thread-safe.
 *
 * @param decision the combined decision of all phases
 * @since 0.1.0
 */
public record RateLimitContext(Decision decision) {

	/** The context of a request that no rule applies to. */
	public static final RateLimitContext NONE = new RateLimitContext(Decision.UNMATCHED);

	/** The name of the attribute that holds the context. */
	public static final String ATTRIBUTE = RateLimitContext.class.getName();

	/**
	 * Return whether the request exceeds a limit of a rule with
	 * {@code on-excess: degrade}. The handler should then do less, such as leave out
	 * details or use a cache.
	 * @return whether to do less
	 */
	public boolean degraded() {
		return has(Outcome.DEGRADED);
	}

	/**
	 * Return whether the client is marked by a rule with {@code ban.as: mark}. The
	 * response does not show it, so a handler can treat the client differently without
	 * notice.
	 * @return whether the client is marked
	 */
	public boolean marked() {
		return has(Outcome.MARKED);
	}

	private boolean has(Outcome outcome) {
		for (Verdict verdict : this.decision.verdicts()) {
			if (verdict.outcome() == outcome) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Correct the charges of all rules whose cost comes from the request to the actual
	 * usage. The correction is sent immediately, without a subscription.
	 * @param actual the actual units, at least 0; units beyond the estimate become debt,
	 * of at most one capacity
	 * @return completed when the store has applied the correction; fails if the store is
	 * unavailable
	 * @throws IllegalArgumentException if the number is negative
	 */
	public CompletionStage<Void> settle(long actual) {
		return this.decision.reservation().settle(actual);
	}

	/**
	 * Correct the charge of one rule. The correction is sent immediately, without a
	 * subscription.
	 * @param ruleId the id of the rule; if it was not charged, nothing happens
	 * @param actual the actual units, at least 0; units beyond the charge become debt, of
	 * at most one capacity
	 * @return completed when the store has applied the correction; fails if the store is
	 * unavailable
	 * @throws IllegalArgumentException if the number is negative
	 */
	public CompletionStage<Void> settle(String ruleId, long actual) {
		return this.decision.reservation().settle(ruleId, actual);
	}

}
