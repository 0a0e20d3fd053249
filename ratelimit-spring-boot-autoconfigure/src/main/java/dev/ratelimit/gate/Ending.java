package dev.ratelimit.gate;

/**
 * Internal: something that is left to do when a request ends. Thread-safe; doing it again
 * changes nothing.
 */
public interface Ending {

	/** The status of a request that has ended without one. */
	int NO_STATUS = 0;

	/**
	 * Whether anything is left to do.
	 * @return whether the ending is to be kept until the request ends
	 */
	default boolean pending() {
		return true;
	}

	/**
	 * The work is done: free what is held only while the request is processed.
	 * @param status the status of the response as far as it is known, or
	 * {@link #NO_STATUS}
	 */
	void free(int status);

	/**
	 * The response is committed, and is written to for as long as the client reads it.
	 */
	default void startStreaming() {
	}

	/**
	 * The status is known that is sent.
	 * @param status the status of the response
	 */
	default void settle(int status) {
	}

}
