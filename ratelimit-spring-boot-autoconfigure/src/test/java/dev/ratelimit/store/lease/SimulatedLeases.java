package dev.ratelimit.store.lease;

import java.time.Duration;

import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.test.Guards;

/**
 * The leases of an instance that uses the clock of a test, for tests in other packages.
 *
 * @param store the store that requests call
 * @param sweep returns idle leases and does other periodic work
 */
public record SimulatedLeases(StoreStage store, Runnable sweep) {

	/** The default values of the properties: 2 s, 200 ms, 20/s, 10,000 buckets, 50 ms. */
	public static final LeaseSettings SETTINGS = new LeaseSettings(Duration.ofSeconds(2), Duration.ofMillis(200), 20,
			10_000, Duration.ofMillis(50));

	/**
	 * Create leases from a store.
	 * @param next the store
	 * @param time the clock
	 * @return the leases, which are swept only by the test
	 */
	public static SimulatedLeases of(StoreStage next, Time time) {
		LeasedLimitStore leased = stage(next, time);
		return new SimulatedLeases(leased, leased::sweep);
	}

	static LeasedLimitStore stage(StoreStage next, Time time) {
		return new LeasedLimitStore(next, SETTINGS, time, Guards.NO_UPKEEP);
	}

}
