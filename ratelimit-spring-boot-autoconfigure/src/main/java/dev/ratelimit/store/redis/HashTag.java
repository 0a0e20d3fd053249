package dev.ratelimit.store.redis;

/**
 * What of a bucket's identity keeps keys in one slot of a cluster.
 *
 * @since 0.1.0
 */
public enum HashTag {

	/** The subject: all limits of a caller lie in one slot. */
	SUBJECT,

	/** The subject and the rule: for callers that are too much for one node. */
	SUBJECT_AND_RULE

}
