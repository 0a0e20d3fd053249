package dev.ratelimit.waiting;

/**
 * A wait that has ended.
 *
 * @param rule the id of the rule in whose queue the request waited last
 * @param end how it ended
 * @param nanos how long the request waited, in all queues together
 */
record EndedWait(String rule, End end, long nanos) {

	/**
	 * How a wait ends.
	 */
	enum End {

		/** The request was allowed. */
		ALLOWED,
		/** Another rule rejected the request at its turn, or the store is unavailable. */
		REJECTED,
		/** There was no room in the queue, or the wait would have been too long. */
		QUEUE_FULL,
		/** The maximum wait was over. */
		WAITED_OUT,
		/** The client has gone away. */
		CANCELED,
		/** The instance shuts down. */
		CLOSED

	}

}
