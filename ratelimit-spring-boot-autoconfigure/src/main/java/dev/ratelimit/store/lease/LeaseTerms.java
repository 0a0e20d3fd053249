package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.BucketSnapshot;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;

/**
 * The terms of the last lease of units, and the numbers seen of the bucket before it. The
 * array is not copied, and must not be changed. Immutable.
 *
 * @param family the limit that was active
 * @param takenAtMillis the store's time of the lease
 * @param sinceMillis the store's time from which charges count for the same window
 * @param sentNanos the time of the call to the store
 * @param endNanos the time from which the remaining units must not be spent
 * @param seen the numbers seen of the bucket before the lease
 * @param charged the units that the call charged: the cost and the lease
 * @param most the maximum number of units that the lease can have, which the store knows
 */
record LeaseTerms(BucketFamily family, long takenAtMillis, long sinceMillis, long sentNanos, long endNanos, long[] seen,
		long charged, long most) {

	static LeaseTerms none(BucketFamily family, long nowNanos, long lastsNanos) {
		return new LeaseTerms(family, 0, Long.MAX_VALUE, nowNanos, nowNanos + lastsNanos, LimitCalculator.EMPTY, 0, 0);
	}

	// Nothing was leased yet, so the state of the bucket is unknown.
	boolean blank() {
		return this.seen.length == 0;
	}

	boolean ended(long nowNanos) {
		return nowNanos - this.endNanos >= 0;
	}

	private long storeMillis(long nowNanos) {
		return this.takenAtMillis + TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sentNanos);
	}

	/**
	 * Whether a charge still counts. Once all of the limit has refilled since, its units
	 * must not be put back: refunds of old charges would add up.
	 * @param chargedAtMillis the store's time of the charge
	 * @param nowNanos the time
	 * @return whether the charge can be refunded
	 */
	boolean counts(long chargedAtMillis, long nowNanos) {
		return storeMillis(nowNanos) - chargedAtMillis < this.family.calculator().fillMillis();
	}

	/**
	 * Return the verdict on a charge that was taken from the lease.
	 * @param cost the cost of the charge
	 * @param left the remaining units of the lease
	 * @param nowNanos the time
	 * @return the verdict; its remaining units are those of the bucket at the time of the
	 * call and those of the lease
	 */
	Verdict verdict(long cost, long left, long nowNanos) {
		long nowMillis = storeMillis(nowNanos);
		long spent = Math.max(0, this.charged - left);
		BucketSnapshot reading = this.family.calculator().read(this.seen, spent, true, nowMillis);
		long remaining = Math.min(this.family.calculator().capacity(),
				reading.remaining() + Math.max(0, left - this.charged));
		return new Verdict(this.family.policy(), Outcome.ALLOWED, cost, remaining, 0, reading.resetAfterMillis(),
				reading.nextUnitMillis());
	}

}
