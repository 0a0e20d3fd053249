package dev.ratelimit.store.redis;

/**
 * What of a bucket's identity keeps keys in one slot of a cluster.
 */
enum HashTag {

	/** The subject: all limits of a client lie in one slot. */
	SUBJECT,

	/** The subject and the rule: for clients that are too much for one node. */
	SUBJECT_AND_RULE

}
