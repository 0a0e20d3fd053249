package dev.ratelimit.store.guard;

import java.time.Duration;

/**
 * Internal: how a store is guarded. Immutable.
 *
 * @param probeInterval how often a node that does not respond is tried again, in the
 * background
 * @param patience how long a node may take to answer the probe, as long as requests wait
 * for it
 * @param maxInFlight most decisions that wait for the store at a time, at least 1;
 * further ones are not called
 */
public record GuardSettings(Duration probeInterval, Duration patience, int maxInFlight) {

	/**
	 * By how many deadlines a call is put off at most while this instance itself is late:
	 * long enough for a cold JVM under a flood on two cores.
	 */
	private static final int MAX_PUT_OFF = 4;

	public GuardSettings {
		if (maxInFlight < 1) {
			throw new IllegalArgumentException("at least one decision must be allowed to wait");
		}
	}

	/**
	 * How long a node may take while this instance itself is late.
	 * @return the patience, and as much more as a call is put off at most
	 */
	public Duration longestPatience() {
		return this.patience.multipliedBy(1 + MAX_PUT_OFF);
	}

	/**
	 * By how much a call is put off at most.
	 * @return nanoseconds
	 */
	long maxPutOffNanos() {
		return longestPatience().minus(this.patience).toNanos();
	}

}
