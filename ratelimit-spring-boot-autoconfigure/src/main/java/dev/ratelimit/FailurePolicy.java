package dev.ratelimit;

/**
 * Policy that a rule applies while the store is unavailable or does not respond in time.
 * No policy allows a request without counting it.
 *
 * @since 0.1.0
 */
public enum FailurePolicy {

	/** Each instance enforces the full limits on its own, in memory. */
	OPEN,

	/** The request is rejected with 503 until the store responds. */
	CLOSED,

	/**
	 * Each instance enforces its share of the limits on its own, in memory: the limits
	 * divided by the number of instances.
	 */
	LOCAL

}
