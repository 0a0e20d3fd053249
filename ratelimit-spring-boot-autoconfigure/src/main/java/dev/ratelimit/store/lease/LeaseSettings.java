package dev.ratelimit.store.lease;

import java.time.Duration;

/**
 * Internal: the settings for leasing units. Immutable.
 *
 * @param length the time for which leased units may be spent
 * @param ahead the time for which an instance leases units, based on its demand
 * @param hotPerSecond the minimum demand in units per second for a lease of a bucket, if
 * the consistency of the rule is automatic
 * @param maxLeases the maximum number of buckets that are leased at a time; requests for
 * other buckets call the store
 * @param timeout the maximum time of a call that leases units ahead of need
 */
public record LeaseSettings(Duration length, Duration ahead, double hotPerSecond, int maxLeases, Duration timeout) {

	public LeaseSettings {
		if (length.toMillis() < 10 || ahead.toMillis() < 1 || maxLeases < 1) {
			throw new IllegalArgumentException("a lease must last at least 10 ms, and at least one bucket is required");
		}
	}

	// Long enough to return the remaining units at the end of a lease.
	long leaseMillis() {
		return this.length.toMillis() * 3 / 2;
	}

}
