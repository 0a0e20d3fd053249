package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;

/**
 * Internal: observer of decisions, of this library's own: it sees the rules and subjects
 * that a {@link dev.ratelimit.DecisionListener} of the application is not shown. It is
 * called on the thread that decides, so it must neither block nor take long. An observer
 * costs only what it observes.
 */
public interface DecisionObserver {

	/**
	 * Called for a decision.
	 * @param rules the rules that apply, and their subjects; empty if the request was
	 * rejected before its subjects were known, or if no observer
	 * {@linkplain #observesRules() observes rules}
	 * @param decision the decision
	 * @param startNanos when it was requested, by the engine's clock; of no meaning if no
	 * observer {@linkplain #observesTime() observes the time}
	 * @param tookNanos how long it took; of no meaning if no observer
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
