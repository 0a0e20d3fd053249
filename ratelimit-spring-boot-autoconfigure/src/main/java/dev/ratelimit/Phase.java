package dev.ratelimit;

/**
 * The time of a rule's evaluation, relative to Spring Security's filter chain.
 *
 * @since 0.1.0
 */
public enum Phase {

	/**
	 * {@link #LATE} if the key, cost, plan, or {@code bypass-authorities} requires the
	 * principal, if the rule has {@code wait}, or if all clients share the rule's
	 * buckets, because its key consists of {@code global} or {@code route} only.
	 * Otherwise {@link #EARLY}.
	 */
	AUTO,

	/** Before authentication, so that failed logins are counted. */
	EARLY,

	/** After authentication, so that the principal is known. */
	LATE

}
