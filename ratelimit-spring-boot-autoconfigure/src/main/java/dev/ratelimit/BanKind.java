package dev.ratelimit;

/**
 * The treatment of all requests of a subject for a limited time.
 *
 * @since 0.1.0
 */
public enum BanKind {

	/** The rule rejects them with 403. */
	BAN,

	/**
	 * The rule allows them without a charge, and handlers can read from
	 * {@link RateLimitContext#marked()} that the client is marked. The client is not
	 * notified.
	 */
	MARK,

	/** The rule rejects them as if a limit were exceeded. */
	PAUSE

}
