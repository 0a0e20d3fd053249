package dev.ratelimit.store.guard;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Settlement;

/**
 * What is owed to one bucket of the store: a state of the bucket with nothing else in it.
 * So it refills like the bucket, and what would have been refilled before the store
 * responds is not charged. Immutable.
 *
 * @param bucket the bucket
 * @param state the state
 * @param atMillis a time by the clock of the charges
 * @param atNanos the same time by that of this instance
 */
record Debt(Bucket bucket, long[] state, long atMillis, long atNanos) {

	static Debt none(Bucket bucket, long nowMillis, long nowNanos) {
		return new Debt(bucket, LimitCalculator.EMPTY, nowMillis, nowNanos);
	}

	/**
	 * This debt, corrected.
	 * @param takenAtMillis the time of the charge
	 * @param units what to add; negative to give back
	 * @param nowNanos the time
	 * @return the debt
	 */
	Debt plus(long takenAtMillis, long units, long nowNanos) {
		long[] corrected = arithmetic().settle(this.state.clone(), takenAtMillis, units, nowMillis(nowNanos));
		return new Debt(this.bucket, corrected, this.atMillis, this.atNanos);
	}

	/**
	 * What to charge.
	 * @param nowNanos the time
	 * @return the correction of at most one capacity, if there is any debt left
	 */
	Optional<Settlement> due(long nowNanos) {
		long nowMillis = nowMillis(nowNanos);
		long[] seen = arithmetic().look(this.state, 0, nowMillis);
		long units = arithmetic().capacity() - arithmetic().read(seen, 0, false, nowMillis).remaining();
		return (units > 0) ? Optional.of(new Settlement(this.bucket, nowMillis, units)) : Optional.empty();
	}

	private long nowMillis(long nowNanos) {
		return this.atMillis + TimeUnit.NANOSECONDS.toMillis(nowNanos - this.atNanos);
	}

	private LimitCalculator arithmetic() {
		return this.bucket.family().arithmetic();
	}

}
