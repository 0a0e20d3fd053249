package dev.ratelimit.store;

/**
 * A charge for what was admitted without the store. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param correction the charge; its time is by a clock of this instance
 * @param ageMillis how long ago the admission was, rounded up
 * @param deadlineNanos the {@link Time} after which nothing may be charged
 * @since 0.1.0
 */
public record LateCharge(Settlement correction, long ageMillis, long deadlineNanos) {

	/**
	 * The bucket.
	 * @return the bucket
	 */
	public Bucket bucket() {
		return this.correction.bucket();
	}

}
