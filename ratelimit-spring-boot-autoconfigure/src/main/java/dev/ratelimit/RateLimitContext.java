package dev.ratelimit;

import java.util.concurrent.CompletionStage;

/**
 * What a handler may know of, and correct in, the limits of the request that it serves.
 * Handler methods take it as a parameter; it is also an attribute of the request, or of
 * the exchange on WebFlux. Thread-safe.
 *
 * @param decision the decisions of all phases, as one
 * @since 0.1.0
 */
public record RateLimitContext(Decision decision) {

	/** The context of a request that no rule applies to. */
	public static final RateLimitContext NONE = new RateLimitContext(Decision.UNMATCHED);

	/** The name of the attribute that holds the context. */
	public static final String ATTRIBUTE = RateLimitContext.class.getName();

	/**
	 * Correct the charges of all rules whose cost was taken from the request, to what was
	 * really used. Sent at once; there is nothing to subscribe to.
	 * @param actual units, at least 0; beyond the estimate they go into debt, of at most
	 * one capacity
	 * @return completed when the store has it
	 */
	public CompletionStage<Void> settle(long actual) {
		return this.decision.reservation().settle(actual);
	}

	/**
	 * Correct the charge of one rule. Sent at once; there is nothing to subscribe to.
	 * @param ruleId the rule; if it was not charged, nothing happens
	 * @param actual units, at least 0; beyond the charge they go into debt, of at most
	 * one capacity
	 * @return completed when the store has it
	 */
	public CompletionStage<Void> settle(String ruleId, long actual) {
		return this.decision.reservation().settle(ruleId, actual);
	}

}
