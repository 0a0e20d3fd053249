package dev.ratelimit.client;

import java.time.Duration;

import dev.ratelimit.Decision;

/**
 * Callback for the requests of the application's HTTP clients: those that charge a quota,
 * and those that are retried. It is called on the thread that continues the request.
 * Implementations must be quick and thread-safe, and must not throw.
 *
 * @since 0.1.0
 */
public interface OutboundListener {

	/** A listener that does nothing. */
	OutboundListener NONE = new OutboundListener() {
	};

	/**
	 * Called when a quota was charged or has rejected a request.
	 * @param quota the quota
	 * @param decision the decision of its rule
	 */
	default void decided(Quota quota, Decision decision) {
	}

	/**
	 * Called when the server has rejected a request and the rule is paused.
	 * @param quota the quota
	 * @param pause the duration of the pause, from now
	 */
	default void paused(Quota quota, Duration pause) {
	}

	/**
	 * Called when a rejected request will be retried.
	 * @param status the status of the rejection
	 * @param wait the wait before the retry
	 */
	default void retrying(int status, Duration wait) {
	}

	/**
	 * Called when a request is delayed, because the server reported that no units remain,
	 * or a quota rejects a retry.
	 * @param wait the delay
	 */
	default void throttled(Duration wait) {
	}

	/**
	 * Called when a rejection is returned to the application.
	 * @param reason the reason for which the request is not retried
	 */
	default void gaveUp(Reason reason) {
	}

	/**
	 * The reason why a rejected request is not retried.
	 */
	enum Reason {

		/** The method must not be retried. */
		METHOD,

		/** The body cannot be sent again. */
		BODY,

		/** The maximum number of attempts is reached. */
		ATTEMPTS,

		/** The server requires a longer wait than the client allows. */
		WAIT,

		/** The maximum total time would be exceeded. */
		TOTAL_TIME,

		/** The retry budget is exhausted. */
		BUDGET

	}

}
