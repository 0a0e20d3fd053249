package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.BucketSnapshot;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;

/**
 * The terms of the last lease of units, and the numbers that were seen of the bucket
 * then. The array is not copied, and must not be changed. Immutable.
 *
 * @param family the limit that was active
 * @param takenAtMillis the store's time of the lease
 * @param sinceMillis the store's time from which charges count for the same window
 * @param sentNanos when the store was called
 * @param endNanos the time from which the remaining units may no longer be spent
 * @param seen what was seen of the bucket before the lease
 * @param charged the units that were charged then: the cost and the lease
 * @param most the units that the store knows to be held
 */
record LeaseTerms(BucketFamily family, long takenAtMillis, long sinceMillis, long sentNanos, long endNanos, long[] seen,
		long charged, long most) {

	static LeaseTerms none(BucketFamily family, long nowNanos, long lastsNanos) {
		return new LeaseTerms(family, 0, Long.MAX_VALUE, nowNanos, nowNanos + lastsNanos, LimitCalculator.EMPTY, 0, 0);
	}

	// Nothing was leased yet, so nothing is known of the bucket.
	boolean blank() {
		return this.seen.length == 0;
	}

	boolean ended(long nowNanos) {
		return nowNanos - this.endNanos >= 0;
	}

	/**
	 * The verdict on a charge that was taken from the lease.
	 * @param cost the cost of the charge
	 * @param left units that are left of the lease
	 * @param nowNanos the time
	 * @return the verdict: what is left of the bucket, as far as is known, is what was
	 * left when the store was called and what is left of the lease
	 */
	Verdict verdict(long cost, long left, long nowNanos) {
		long nowMillis = this.takenAtMillis + TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sentNanos);
		long spent = Math.max(0, this.charged - left);
		BucketSnapshot reading = this.family.arithmetic().read(this.seen, spent, true, nowMillis);
		long remaining = Math.min(this.family.arithmetic().capacity(),
				reading.remaining() + Math.max(0, left - this.charged));
		return new Verdict(this.family.policy(), Outcome.ALLOWED, cost, remaining, 0, reading.resetAfterMillis(),
				reading.nextUnitMillis());
	}

}
