package dev.ratelimit.algorithm;

/**
 * A snapshot of a bucket, for one cost. Quantities are rounded down, and waits are
 * rounded up.
 * <p>
 * Experimental: may change in any release.
 *
 * @param fits whether the cost fitted
 * @param remaining whole units left, never negative
 * @param retryAfterMillis 0 if it fitted, else the least wait after which the same cost
 * fits, or {@link Wait#NEVER}
 * @param resetAfterMillis least wait after which the bucket is full
 * @param nextUnitMillis least wait after which the remaining grows, 0 if full
 * @param delayMillis the time for which the request is to be held before it goes on, 0 if
 * it may go on at once
 * @since 0.1.0
 */
public record BucketSnapshot(boolean fits, long remaining, long retryAfterMillis, long resetAfterMillis,
		long nextUnitMillis, long delayMillis) {

	/**
	 * The snapshot of an algorithm without slots.
	 * @param fits whether the cost fitted
	 * @param remaining whole units left, never negative
	 * @param retryAfterMillis 0 if it fitted, or the least wait after which it does
	 * @param resetAfterMillis least wait after which the bucket is full
	 * @param nextUnitMillis least wait after which the remaining grows
	 */
	public BucketSnapshot(boolean fits, long remaining, long retryAfterMillis, long resetAfterMillis,
			long nextUnitMillis) {
		this(fits, remaining, retryAfterMillis, resetAfterMillis, nextUnitMillis, 0);
	}

	BucketSnapshot delayed(long delayMillis) {
		return new BucketSnapshot(this.fits, this.remaining, this.retryAfterMillis, this.resetAfterMillis,
				this.nextUnitMillis, delayMillis);
	}

}
