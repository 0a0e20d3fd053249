package dev.ratelimit;

/**
 * When a rule is decided, relative to Spring Security's filter chain.
 *
 * @since 0.1.0
 */
public enum Phase {

	/** Early where neither key nor cost need a principal, late otherwise. */
	AUTO,

	/** Before authentication, so that failed logins are counted. */
	EARLY,

	/** After authentication, so that the principal is known. */
	LATE

}
