package dev.ratelimit;

/**
 * Callback invoked once for every decision, one after the other, on a thread of its own:
 * a listener that blocks holds up other listeners, but no request. While 10,000 decisions
 * wait for the listeners, further ones are not reported, which is logged once. What a
 * listener throws is logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DecisionListener {

	/**
	 * A decision was made.
	 * @param decision the decision
	 * @param tookNanos nanoseconds from the question to the answer
	 */
	void decided(Decision decision, long tookNanos);

	/**
	 * A caller has a plan that a rule with plans does not know; the rule's own numbers
	 * apply.
	 * @param ruleId the rule
	 */
	default void planUnknown(String ruleId) {
	}

}
