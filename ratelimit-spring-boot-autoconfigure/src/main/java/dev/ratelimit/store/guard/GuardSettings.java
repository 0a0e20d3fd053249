package dev.ratelimit.store.guard;

import java.time.Duration;

/**
 * Internal: the settings of the guard of a store. Immutable.
 *
 * @param probeInterval the interval at which a node that does not respond is tried again,
 * in the background
 * @param timeout the time that a node may take to answer the probe, as long as requests
 * wait for it
 * @param maxInFlight the maximum number of decisions that wait for the store at a time,
 * at least 1; further decisions do not call it
 */
public record GuardSettings(Duration probeInterval, Duration timeout, int maxInFlight) {

	/**
	 * The maximum extension of a call while this instance itself is late, in deadlines:
	 * long enough for a cold JVM under a flood on two cores.
	 */
	private static final int MAX_PUT_OFF = 4;

	public GuardSettings {
		if (maxInFlight < 1) {
			throw new IllegalArgumentException("at least one decision must be allowed to wait");
		}
	}

	/**
	 * Return the maximum time that a node may take while this instance itself is late.
	 * @return the timeout, with the maximum extension of a call
	 */
	Duration longestTimeout() {
		return this.timeout.multipliedBy(1 + MAX_PUT_OFF);
	}

	/**
	 * Return the maximum extension of a call.
	 * @return nanoseconds
	 */
	long maxPutOffNanos() {
		return longestTimeout().minus(this.timeout).toNanos();
	}

}
