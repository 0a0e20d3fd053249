package dev.ratelimit.store;

/**
 * Internal: a charge for a request that was allowed without the store. Immutable.
 *
 * @param correction the charge, of at least one unit; its time is by a clock of this
 * instance
 * @param takenNanos the {@link Time} at which the request was allowed, or earlier. If
 * units refill evenly, the time at which exactly these units were owed.
 * @param deadlineNanos the {@link Time} after which nothing may be charged
 */
public record LateCharge(Settlement correction, long takenNanos, long deadlineNanos) {

	/**
	 * A charge of at least one unit.
	 */
	public LateCharge {
		if (correction.units() <= 0) {
			throw new IllegalArgumentException("A late charge has at least one unit, not " + correction.units());
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
