package dev.ratelimit.waiting;

/**
 * A wait that has ended.
 *
 * @param rule the id of the rule in whose queue the request waited last
 * @param end the end of the wait
 * @param nanos the duration of the wait, in all queues together
 */
record EndedWait(String rule, End end, long nanos) {

	/**
	 * The ways in which a wait ends.
	 */
	enum End {

		/** The request was allowed. */
		ALLOWED,
		/**
		 * At its turn, another rule rejected the request, or the store was unavailable.
		 */
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
