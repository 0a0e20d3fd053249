package dev.ratelimit.algorithm;

/**
 * A snapshot of a bucket, for one cost. Quantities are rounded down, and waits are
 * rounded up.
 * <p>
 * Experimental: may change in any release.
 *
 * @param fits whether the cost fitted
 * @param remaining the remaining whole units, never negative
 * @param retryAfterMillis 0 if it fitted, otherwise the minimum wait after which the same
 * cost fits, or {@link Wait#NEVER}
 * @param resetAfterMillis the minimum wait after which the bucket is full
 * @param nextUnitMillis the minimum wait after which the remaining units increase, 0 if
 * full
 * @param delayMillis the time for which the request must be held before it continues, 0
 * if it may continue immediately
 * @since 0.1.0
 */
public record BucketSnapshot(boolean fits, long remaining, long retryAfterMillis, long resetAfterMillis,
		long nextUnitMillis, long delayMillis) {

	/**
	 * Create a snapshot without a delay.
	 * @param fits whether the cost fitted
	 * @param remaining the remaining whole units, never negative
	 * @param retryAfterMillis 0 if it fitted, otherwise the minimum wait after which the
	 * same cost fits, or {@link Wait#NEVER}
	 * @param resetAfterMillis the minimum wait after which the bucket is full
	 * @param nextUnitMillis the minimum wait after which the remaining units increase
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
