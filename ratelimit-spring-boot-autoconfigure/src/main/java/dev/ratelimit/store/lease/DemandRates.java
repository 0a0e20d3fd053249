package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.ratelimit.store.Bucket;

/**
 * How much is asked for of each bucket on this instance, about: a fixed number of slots,
 * each a count that fades within half a second and the time of its last change. Buckets
 * that share a slot are taken for busier than they are, which does no harm. Thread-safe.
 */
final class DemandRates {

	private static final int SLOTS = 1 << 14;

	private static final double FADES_MILLIS = 500;

	private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

	/**
	 * Note what was asked for.
	 * @param bucket of which bucket
	 * @param units how much
	 * @param nowNanos the time
	 * @return units per second
	 */
	double note(Bucket bucket, long units, long nowNanos) {
		int now = (int) TimeUnit.NANOSECONDS.toMillis(nowNanos);
		int hash = bucket.hashCode() * 0x9E3779B9;
		int slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
		while (true) {
			long before = this.slots.get(slot);
			float count = faded(before, now) + units;
			if (this.slots.compareAndSet(slot, before, pack(count, now))) {
				return count * 1000 / FADES_MILLIS;
			}
		}
	}

	private static float faded(long packed, int now) {
		int elapsed = Math.max(0, now - (int) (packed >>> 32));
		return (float) (Float.intBitsToFloat((int) packed) * Math.exp(-elapsed / FADES_MILLIS));
	}

	private static long pack(float count, int now) {
		return ((long) now << 32) | (Float.floatToRawIntBits(count) & 0xFFFF_FFFFL);
	}

}
