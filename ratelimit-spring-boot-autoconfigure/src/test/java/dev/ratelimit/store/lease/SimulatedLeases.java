package dev.ratelimit.store.lease;

import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;

/**
 * The leases of an instance that goes by a test's clock, for tests in other packages.
 *
 * @param store what requests call
 * @param sweep returns what is idle, and the like
 */
public record SimulatedLeases(StoreStage store, Runnable sweep) {

	/**
	 * Leases from a store.
	 * @param next the store
	 * @param time the clock
	 * @return the leases, which are not swept until the test does
	 */
	public static SimulatedLeases of(StoreStage next, Time time) {
		LeasedLimitStore leased = new LeasedLimitStore(next, LeaseSettings.DEFAULT, time);
		return new SimulatedLeases(leased, leased::sweep);
	}

}
