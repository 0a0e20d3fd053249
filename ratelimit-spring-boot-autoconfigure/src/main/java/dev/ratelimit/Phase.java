package dev.ratelimit;

/**
 * When a rule is evaluated, relative to Spring Security's filter chain.
 *
 * @since 0.1.0
 */
public enum Phase {

	/**
	 * Late if the key, cost, or plan requires the principal, or if all clients share the
	 * rule's buckets (its key is only {@code global} or {@code route}). Otherwise early.
	 */
	AUTO,

	/** Before authentication, so that failed logins are counted. */
	EARLY,

	/** After authentication, so that the principal is known. */
	LATE

}
