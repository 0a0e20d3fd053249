package dev.ratelimit;

/**
 * Is told of every decision, once. Called on the deciding thread: must be quick,
 * thread-safe, and must not throw.
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
