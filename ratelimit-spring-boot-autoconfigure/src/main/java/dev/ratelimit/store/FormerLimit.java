package dev.ratelimit.store;

/**
 * The buckets that a limit had before it changed: what was used of them is moved over
 * while it still matters. Immutable.
 *
 * @param family the buckets
 * @param untilNanos the {@link Time} at which all of them are full again
 * @since 0.1.0
 */
public record FormerLimit(BucketFamily family, long untilNanos) {

	/**
	 * Whether anything of them may still be used.
	 * @param nowNanos the time
	 * @return whether they have to be looked at
	 */
	public boolean matters(long nowNanos) {
		return nowNanos - this.untilNanos < 0;
	}

}
