package dev.ratelimit.client;

import java.time.Duration;

/**
 * Is told what becomes of a client's requests. Called on the thread that goes on with the
 * request: must be quick, thread-safe, and must not throw.
 *
 * @since 0.1.0
 */
public interface RetryListener {

	/** Keeps what it hears to itself. */
	RetryListener NONE = new RetryListener() {
	};

	/**
	 * A refused request will be sent again.
	 * @param status the status of the refusal, one of those that are retried
	 * @param wait how long the client waits before
	 */
	default void retrying(int status, Duration wait) {
	}

	/**
	 * A request is held back, because the server has said that it has nothing left.
	 * @param wait how long the client waits
	 */
	default void throttled(Duration wait) {
	}

	/**
	 * A refusal goes to the caller.
	 * @param reason why the request is not sent again
	 */
	default void gaveUp(Reason reason) {
	}

	/**
	 * Why a refused request is not sent again.
	 */
	enum Reason {

		/** Its method may not be repeated. */
		METHOD,

		/** Its body cannot be sent twice. */
		BODY,

		/** It has been sent as often as it may. */
		ATTEMPTS,

		/** The server demands a longer wait than the client accepts. */
		WAIT,

		/** All its waits together would take too long. */
		TOTAL_TIME,

		/** Too many requests of this client were refused lately. */
		BUDGET

	}

}
