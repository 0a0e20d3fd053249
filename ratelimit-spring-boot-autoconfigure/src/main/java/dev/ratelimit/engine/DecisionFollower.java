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
	 * @param tookNanos how long it took, or 0 if nobody wants to know
	 */
	void decided(List<AppliedRule> uses, Decision decision, long tookNanos);

	/**
	 * Whether the follower wants decisions that allow a request. If none does, such
	 * decisions cost nothing more.
	 * @return false to be called for rejections only
	 */
	default boolean followsAllowed() {
		return true;
	}

	/**
	 * Whether the follower wants to know how long decisions take. If nobody does, the
	 * time is not read.
	 * @return false if the follower does not use the duration
	 */
	default boolean followsDurations() {
		return true;
	}

}
