package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;

/**
 * Internal: an observer of decisions within this library. Unlike a
 * {@link dev.ratelimit.DecisionListener} of the application, it receives the rules and
 * subjects. It is called on the deciding thread, so it must return quickly and not block.
 * Values that no observer reads are not computed.
 */
public interface DecisionObserver {

	/**
	 * Called for a decision.
	 * @param rules the rules that apply, and their subjects; empty if the request was
	 * rejected before its subjects were known, or if no observer
	 * {@linkplain #observesRules() observes rules}
	 * @param decision the decision
	 * @param startNanos the time of the request, by the engine's clock; undefined if no
	 * observer {@linkplain #observesTime() observes the time}
	 * @param tookNanos the duration; undefined if no observer
	 * {@linkplain #observesDuration() observes durations}
	 */
	void decided(List<AppliedRule> rules, Decision decision, long startNanos, long tookNanos);

	/**
	 * Called if a client has a plan that a rule with plans does not define.
	 * @param ruleId the id of the rule
	 */
	default void planUnknown(String ruleId) {
	}

	/**
	 * Whether decisions that allow a request are observed.
	 * @return false to be called for rejections only
	 */
	default boolean observesAllowed() {
		return true;
	}

	/**
	 * Whether the rules and their subjects are observed.
	 * @return false if the list can be empty
	 */
	default boolean observesRules() {
		return true;
	}

	/**
	 * Whether the time of the request is observed.
	 * @return false if the time need not be read
	 */
	default boolean observesTime() {
		return true;
	}

	/**
	 * Whether the duration is observed.
	 * @return false if the time need not be read after the decision
	 */
	default boolean observesDuration() {
		return false;
	}

}
