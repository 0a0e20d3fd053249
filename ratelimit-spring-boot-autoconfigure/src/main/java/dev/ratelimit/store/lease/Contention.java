package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Bucket;

/**
 * How long to leave a bucket alone that the store has rejected. As long as it says, where
 * clients wait that long. Where they do not, until there is enough to be worth a call.
 * Who has waited and is rejected again is one of several who wait: each waits twice as
 * long then, so that however many they are, they ask about as often as there is something
 * to be had. Knows buckets by their hash, about. Thread-safe.
 */
final class Contention {

	private static final int SLOTS = 1 << 12;

	private static final int MOST = 10;

	private static final long ROW = 15;

	private static final long IMPATIENT = 16;

	private static final long WORTH_A_CALL = 64;

	private static final long LONGEST_GATHERING_MILLIS = 100;

	private static final long REMEMBERED_MILLIS = 3000;

	/** When it was rejected last, in milliseconds; a flag; how often in a row. */
	private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

	/**
	 * Note that the store has rejected.
	 * @param bucket which bucket
	 * @param verdict what it said
	 * @param nowNanos the time
	 * @return how many milliseconds to wait
	 */
	long refused(Bucket bucket, Verdict verdict, long nowNanos) {
		long nowMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos);
		int slot = slot(bucket);
		long before = this.slots.get(slot);
		boolean recent = nowMillis - (before >> 5) < REMEMBERED_MILLIS;
		long row = (recent) ? Math.min(MOST, (before & ROW) + 1) : 1;
		this.slots.set(slot, nowMillis << 5 | ((recent) ? before & IMPATIENT : 0) | row);
		long wait = verdict.retryAfterMillis() << (row - 1);
		return (recent && (before & IMPATIENT) != 0) ? Math.max(wait, gathering(bucket)) : wait;
	}

	// Nothing is lost meanwhile: it does not fill up.
	private static long gathering(Bucket bucket) {
		Limit limit = bucket.family().policy().limit().orElseThrow();
		long enough = WORTH_A_CALL * limit.period().toMillis() / limit.quantity();
		return Math.min(Math.min(enough, LONGEST_GATHERING_MILLIS), bucket.family().arithmetic().fillMillis() / 4);
	}

	/**
	 * How long to leave a bucket alone of which next to nothing was to be had.
	 * @param bucket which bucket
	 * @param nowNanos the time
	 * @return how many milliseconds to wait; 0 where clients wait as they are told
	 */
	long scarce(Bucket bucket, long nowNanos) {
		long before = this.slots.get(slot(bucket));
		boolean recent = TimeUnit.NANOSECONDS.toMillis(nowNanos) - (before >> 5) < REMEMBERED_MILLIS;
		return (recent && (before & IMPATIENT) != 0) ? gathering(bucket) : 0;
	}

	/**
	 * Note that somebody has not waited.
	 * @param bucket for which bucket
	 */
	void impatient(Bucket bucket) {
		int slot = slot(bucket);
		long before = this.slots.get(slot);
		if ((before & IMPATIENT) == 0) {
			this.slots.compareAndSet(slot, before, before | IMPATIENT);
		}
	}

	/**
	 * Note that the store has admitted.
	 * @param bucket which bucket
	 */
	void admitted(Bucket bucket) {
		int slot = slot(bucket);
		long before = this.slots.get(slot);
		if ((before & ROW) != 0) {
			this.slots.compareAndSet(slot, before, before - 1);
		}
	}

	private static int slot(Bucket bucket) {
		int hash = bucket.hashCode() * 0x9E3779B9;
		return (hash ^ (hash >>> 15)) & (SLOTS - 1);
	}

}
