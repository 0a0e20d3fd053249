package dev.ratelimit;

/**
 * What a rule does with a request that lacks the rule's key. There is no way to mean
 * "unlimited" by leaving something out: that is said with {@link #SKIP}.
 *
 * @since 0.1.0
 */
public enum MissingKeyPolicy {

	/** All requests without the key share one bucket. */
	SHARED,

	/** The rule does not apply. */
	SKIP,

	/** The request is refused. */
	DENY,

	/** The client's address stands in for the key. */
	IP

}
