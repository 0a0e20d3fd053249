package dev.ratelimit.rule;

/**
 * Where a rule was written.
 *
 * @since 0.1.0
 */
public enum Origin {

	/** Under {@code ratelimit.rules}. */
	PROPERTY,

	/** On a controller. */
	ANNOTATION,

	/** On a controller, with values overridden under {@code ratelimit.rules}. */
	ANNOTATION_AND_PROPERTY

}
