package dev.ratelimit;

/**
 * The treatment of requests that exceed the limits of a rule.
 *
 * @since 0.1.0
 */
public enum ExcessPolicy {

	/** The request is rejected. */
	REJECT,

	/**
	 * The request is allowed, and its handler can read from
	 * {@link RateLimitContext#degraded()} that it should do less. The request is still
	 * rejected if another rule rejects it.
	 */
	DEGRADE,

	/**
	 * The request is rejected, and the response is sent after a delay, during which no
	 * thread waits.
	 */
	TARPIT

}
