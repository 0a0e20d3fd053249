package dev.ratelimit;

/**
 * What a rule does with a request that exceeds its limits.
 *
 * @since 0.1.0
 */
public enum ExcessPolicy {

	/** The request is rejected. */
	REJECT,

	/**
	 * The request is allowed, and its handler can read from
	 * {@link RateLimitContext#degraded()} that it should do less. If another rule rejects
	 * the request, it is rejected.
	 */
	DEGRADE,

	/**
	 * The request is rejected, and the response is sent after a delay. No thread waits
	 * meanwhile.
	 */
	TARPIT

}
