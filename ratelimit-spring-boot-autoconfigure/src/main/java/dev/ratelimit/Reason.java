package dev.ratelimit;

/**
 * Why a request passed or was refused.
 *
 * @since 0.1.0
 */
public enum Reason {

	/** No rule applies. */
	UNMATCHED,

	/** Every charge fits. */
	WITHIN_LIMITS,

	/** A retry with a known idempotency key. */
	REPLAYED,

	/** A bucket has too little left. */
	LIMIT_EXCEEDED,

	/** The cost is above a bucket's capacity: no waiting helps. */
	COST_ABOVE_CAPACITY,

	/** The request lacks a key that a rule demands. */
	KEY_MISSING,

	/** A rule lets this caller not pass at all. */
	BLOCKED,

	/** No rule that applies limits this caller. */
	BYPASSED,
	/** The caller's address is refused. */
	BANNED,
	/** The store gave no answer; the rules' failure policies did. */
	STORE_UNAVAILABLE

}
