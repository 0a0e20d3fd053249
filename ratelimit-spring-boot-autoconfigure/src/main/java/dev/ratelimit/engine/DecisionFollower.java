package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;

/**
 * Internal: follows decisions together with the rules and subjects that they are about,
 * which a {@link dev.ratelimit.DecisionListener} is not shown. It is called by the thread
 * that decides, so it must neither block nor take long.
 */
public interface DecisionFollower {

	/**
	 * Called for a decision.
	 * @param uses the rules that apply, and their subjects; empty if the request was
	 * rejected before its subjects were known
	 * @param decision the decision
	 * @param startNanos when it was requested, by the engine's clock; of no meaning if
	 * nobody wants to know
	 */
	void decided(List<AppliedRule> uses, Decision decision, long startNanos);

	/**
	 * Whether the follower wants decisions that allow a request. If none does, such
	 * decisions cost nothing more.
	 * @return false to be called for rejections only
	 */
	default boolean followsAllowed() {
		return true;
	}

	/**
	 * Whether the follower wants to know when decisions were requested. If nobody does,
	 * the time is not read.
	 * @return false if the follower does not use the time
	 */
	default boolean followsTime() {
		return true;
	}

}
