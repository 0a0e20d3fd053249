package dev.ratelimit.store.lease;

import java.time.Duration;

/**
 * Internal: the settings for leasing units. Immutable.
 *
 * @param length how long leased units may be spent
 * @param ahead for how long of its own demand an instance leases
 * @param hotPerSecond units per second from which a bucket of an automatic rule is leased
 * @param maxLeases maximum number of buckets that are leased at a time; others call the
 * store
 * @param timeout how long the store may take to lease ahead of need
 */
public record LeaseSettings(Duration length, Duration ahead, double hotPerSecond, int maxLeases, Duration timeout) {

	public LeaseSettings {
		if (length.toMillis() < 10 || ahead.toMillis() < 1 || maxLeases < 1) {
			throw new IllegalArgumentException("a lease must last at least 10 ms, and at least one bucket is required");
		}
	}

	// Long enough to return what is left at the end of a lease.
	long leaseMillis() {
		return this.length.toMillis() * 3 / 2;
	}

}
