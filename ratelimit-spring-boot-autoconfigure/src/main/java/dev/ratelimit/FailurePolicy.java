package dev.ratelimit;

/**
 * What answers for a rule's charges while the store is unavailable.
 *
 * @since 0.1.0
 */
public enum FailurePolicy {

	/** The request passes, uncounted. */
	OPEN,

	/** The request is refused with 503 until the store is back. */
	CLOSED,

	/** Each instance counts its share of the limit by itself, in memory. */
	LOCAL

}
