package dev.ratelimit.store;

/**
 * The buckets that a limit had before it changed: what was used of them is moved over
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
	 * Whether anything of them may still be used.
	 * @param nowNanos the time
	 * @return whether they have to be looked at
	 */
	public boolean matters(long nowNanos) {
		return !this.change.isPast(this.lastsNanos, nowNanos);
	}

}
