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
		/** The queue was full, or the wait would have been too long. */
		QUEUE_FULL,
		/** The maximum wait has passed. */
		WAITED_OUT,
		/** The client has canceled the request. */
		CANCELED,
		/** The instance shuts down. */
		CLOSED

	}

}
