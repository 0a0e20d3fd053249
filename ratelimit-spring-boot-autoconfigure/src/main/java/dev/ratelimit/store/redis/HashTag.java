package dev.ratelimit.store.redis;

/**
 * The part of a bucket's identity that keeps keys in one slot of a cluster.
 */
enum HashTag {

	/** The subject: all limits of a client are in one slot. */
	SUBJECT,

	/**
	 * The subject and the rule: for clients with more requests than one node can process.
	 */
	SUBJECT_AND_RULE

}
