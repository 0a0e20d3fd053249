package dev.ratelimit.store;

/**
 * The store under test and its clock.
 */
public interface StoreUnderTest {

	LimitStore store();

	/**
	 * Return the store with the operations of built-in stores.
	 */
	default StoreStage stage() {
		return StoreStage.of(store());
	}

	/**
	 * Set the clock of the store to the given number of milliseconds after the start of
	 * the test.
	 */
	void at(long millis);

	/**
	 * Return the number of buckets and of owners of markers in the store.
	 */
	long remembered();

	default AcquireResult tryAcquire(AcquireRequest demand) {
		return store().acquire(demand).join();
	}

	default AcquireResult tryAcquire(Charge... charges) {
		return tryAcquire(Demands.of(charges));
	}

	default boolean allows(Charge charge) {
		return tryAcquire(charge).allowed();
	}

	default long remaining(BucketFamily family, String subject) {
		return tryAcquire(Demands.charge(family, subject, 0)).verdicts().get(0).remaining();
	}

}
