package dev.ratelimit;

/**
 * The treatment of requests without the key of a rule. Only {@link #SKIP} does not limit
 * them. A rule without a policy uses {@link #IP} for the keys {@code user} and
 * {@code claim}, and {@link #SHARED} for all others.
 *
 * @since 0.1.0
 */
public enum MissingKeyPolicy {

	/** All requests without the key share one bucket. */
	SHARED,

	/** The rule does not limit requests without the key. */
	SKIP,

	/** The request is rejected. */
	DENY,

	/** The client address replaces the key. */
	IP

}
