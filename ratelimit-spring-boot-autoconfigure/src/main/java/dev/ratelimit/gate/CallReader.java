package dev.ratelimit.gate;

import java.util.Optional;

import dev.ratelimit.engine.RetryKey;

/**
 * Internal: reads the plan and the idempotency key of a call. Thread-safe.
 *
 * @param <C> the calls of the front
 */
public interface CallReader<C extends Call> {

	/**
	 * Return the plan of the client. Called only if a rule has plans.
	 * @param call the call
	 * @return the plan, if it is known
	 */
	default Optional<String> plan(C call) {
		return Optional.empty();
	}

	/**
	 * Whether calls can wait for their turn in queues.
	 * @return whether the front runs {@link Delay.Queued}
	 */
	default boolean waits() {
		return false;
	}

	/**
	 * Return the key by which a retry is recognized. Called only if a rule does not
	 * charge retries.
	 * @param call the call
	 * @return the key; empty if the call has no valid key
	 */
	default Optional<RetryKey> retryKey(C call) {
		return Optional.empty();
	}

}
