package dev.ratelimit.store;

/**
 * The buckets that a limit had before it changed. Their usage is moved to the new buckets
 * while it still matters. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param family the buckets
 * @param change when the limit changes
 * @param lastsNanos the time from the change until all of them are full again
 * @since 0.1.0
 */
public record FormerLimit(BucketFamily family, Activation change, long lastsNanos) {

	/**
	 * Whether the usage of these buckets may still matter.
	 * @param nowNanos the time
	 * @return whether the buckets must be read
	 */
	public boolean matters(long nowNanos) {
		return !this.change.isPast(this.lastsNanos, nowNanos);
	}

}
