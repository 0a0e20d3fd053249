package dev.ratelimit.store;

/**
 * Internal: a charge for a request that was allowed without the store. Immutable.
 *
 * @param correction the charge, of at least one unit; its time is by a clock of this
 * instance
 * @param ageMillis how long ago the request was allowed, rounded up; at least 0
 * @param deadlineNanos the {@link Time} after which nothing may be charged
 */
public record LateCharge(Settlement correction, long ageMillis, long deadlineNanos) {

	/**
	 * A charge of at least one unit.
	 */
	public LateCharge {
		if (correction.units() <= 0 || ageMillis < 0) {
			throw new IllegalArgumentException("A late charge has at least one unit and an age of at least 0 ms, not "
					+ correction.units() + " units and " + ageMillis + " ms");
		}
	}

	/**
	 * The bucket.
	 * @return the bucket
	 */
	public Bucket bucket() {
		return this.correction.bucket();
	}

}
