package dev.ratelimit;

/**
 * Whether a rule refuses, only counts, or rests.
 *
 * @since 0.1.0
 */
public enum RuleMode {

	/** Excess is refused. */
	ENFORCE,

	/** Excess is counted apart and never refused. */
	SHADOW,

	/** The rule does nothing. */
	OFF

}
