package dev.ratelimit.rule;

/**
 * Internal: where a rule was written.
 */
public enum Origin {

	/** Under {@code ratelimit.rules}. */
	PROPERTY,

	/** On a controller. */
	ANNOTATION,

	/** On a controller, with values overridden under {@code ratelimit.rules}. */
	ANNOTATION_AND_PROPERTY

}
