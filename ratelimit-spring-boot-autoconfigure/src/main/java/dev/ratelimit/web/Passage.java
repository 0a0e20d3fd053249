package dev.ratelimit.web;

import dev.ratelimit.Decision;

/**
 * How far a request has come. Immutable.
 *
 * @param decision the decisions of all phases so far, as one
 * @param spentNanos how long it has waited for the store so far
 * @since 0.1.0
 */
public record Passage(Decision decision, long spentNanos) {

	/** A request that has met no rule. */
	public static final Passage START = new Passage(Decision.UNMATCHED, 0);

	/**
	 * Whether the request may go on.
	 * @return whether it is allowed so far
	 */
	public boolean allowed() {
		return this.decision.allowed();
	}

}
