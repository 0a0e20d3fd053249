package dev.ratelimit.store;

/**
 * What the kit needs of a store: the store itself, and a hand on its clock.
 */
public interface StoreUnderTest {

	LimitStore store();

	/**
	 * The store, with what only the built-in ones have.
	 */
	default StoreStage stage() {
		return StoreStage.of(store());
	}

	/**
	 * Set the store's clock to so many milliseconds after the start of the test.
	 */
	void at(long millis);

	/**
	 * How many buckets and owners of markers the store remembers.
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
