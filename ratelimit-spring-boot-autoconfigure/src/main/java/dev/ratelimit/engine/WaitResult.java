package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;

/**
 * Internal: the result of a request that had to wait. Immutable.
 *
 * @param decision the decision at the end of the wait
 * @param applied the rules that applied at that time
 */
public record WaitResult(Decision decision, List<AppliedRule> applied) {
}
