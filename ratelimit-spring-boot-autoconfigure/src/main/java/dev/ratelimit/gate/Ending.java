package dev.ratelimit.gate;

/**
 * Internal: an action at the end of a request. Thread-safe and idempotent.
 */
public interface Ending {

	/** The status of a request that has ended without one. */
	int NO_STATUS = 0;

	/**
	 * Whether there is an action.
	 * @return whether the ending must be kept until the request ends
	 */
	default boolean pending() {
		return true;
	}

	/**
	 * Free the slots that are held only while the request is processed. Called when the
	 * processing is complete.
	 * @param status the status of the response as far as it is known, or
	 * {@link #NO_STATUS}
	 */
	void free(int status);

	/**
	 * Called when the response is committed and becomes a stream, which lasts for as long
	 * as the client reads it.
	 */
	default void startStreaming() {
	}

	/**
	 * Called when the status of the response is known.
	 * @param status the status of the response
	 */
	default void settle(int status) {
	}

}
