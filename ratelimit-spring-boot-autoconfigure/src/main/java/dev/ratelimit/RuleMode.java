package dev.ratelimit;

/**
 * The mode of a rule: it rejects requests, only counts them, or is disabled.
 *
 * @since 0.1.0
 */
public enum RuleMode {

	/** Requests that exceed the limits are rejected. */
	ENFORCE,

	/** Requests that exceed the limits are counted separately and never rejected. */
	SHADOW,

	/** The rule is disabled. */
	OFF

}
