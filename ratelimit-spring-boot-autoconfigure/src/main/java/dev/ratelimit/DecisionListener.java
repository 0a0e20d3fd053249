package dev.ratelimit;

/**
 * Callback invoked once for every decision, in sequence, on a separate thread. A listener
 * that blocks delays other listeners, but no request. While 10,000 decisions wait for the
 * listeners, further decisions are dropped, which is logged once. Exceptions of a
 * listener are logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DecisionListener {

	/**
	 * Called for a decision.
	 * @param decision the decision
	 * @param tookNanos duration of the decision in nanoseconds
	 */
	void decided(Decision decision, long tookNanos);

	/**
	 * Called if a client has a plan that a rule with plans does not define. The rule's
	 * own limits apply; if it has none, those of its smallest plan.
	 * @param ruleId the id of the rule
	 */
	default void planUnknown(String ruleId) {
	}

}
