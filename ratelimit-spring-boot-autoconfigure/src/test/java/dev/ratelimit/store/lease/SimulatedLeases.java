package dev.ratelimit.store.lease;

import java.time.Duration;

import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.test.Guards;

/**
 * The leases of an instance that goes by a test's clock, for tests in other packages.
 *
 * @param store what requests call
 * @param sweep returns what is idle, and the like
 */
public record SimulatedLeases(StoreStage store, Runnable sweep) {

	/** As properties set none: 2 s, 200 ms, 20/s, 10,000 buckets, 50 ms. */
	public static final LeaseSettings SETTINGS = new LeaseSettings(Duration.ofSeconds(2), Duration.ofMillis(200), 20,
			10_000, Duration.ofMillis(50));

	/**
	 * Leases from a store.
	 * @param next the store
	 * @param time the clock
	 * @return the leases, which are not swept until the test does
	 */
	public static SimulatedLeases of(StoreStage next, Time time) {
		LeasedLimitStore leased = stage(next, time);
		return new SimulatedLeases(leased, leased::sweep);
	}

	static LeasedLimitStore stage(StoreStage next, Time time) {
		return new LeasedLimitStore(next, SETTINGS, time, Guards.NO_UPKEEP);
	}

}
