package dev.ratelimit.store.guard;

import java.time.Duration;

import dev.ratelimit.store.StoreDeadlines;

/**
 * Internal: the settings of the guard of a store. Immutable.
 *
 * @param probeInterval the interval at which a node that does not respond is probed in
 * the background
 * @param timeout the maximum time that a probe or a request waits for a response of a
 * node
 * @param maxInFlight the maximum number of decisions that wait for the store at a time,
 * at least 1; further decisions do not call the store
 */
public record GuardSettings(Duration probeInterval, Duration timeout, int maxInFlight) {

	public GuardSettings {
		if (maxInFlight < 1) {
			throw new IllegalArgumentException("at least one decision must be allowed to wait");
		}
	}

	/**
	 * Return the maximum time to wait for a node while this instance is late.
	 * @return the timeout, with the maximum extension of a call
	 */
	Duration longestTimeout() {
		return this.timeout.multipliedBy(1 + StoreDeadlines.MAX_EXTENSION);
	}

	/**
	 * Return the maximum extension of a call.
	 * @return nanoseconds
	 */
	long maxPutOffNanos() {
		return longestTimeout().minus(this.timeout).toNanos();
	}

}
