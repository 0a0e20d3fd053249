package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.ratelimit.store.Bucket;

/**
 * Estimates the demand for each bucket on this instance, with a fixed number of cells. A
 * cell belongs to one bucket. It has the time of its last change and a count that decays
 * exponentially, with a time constant of 500 ms. A bucket without a cell takes the cell
 * of the least busy bucket in its row. Even many quiet buckets are not mistaken for busy
 * ones, and do not displace a busy one. Thread-safe.
 */
final class DemandRates {

	/** The number of cells in a row, which has the size of a cache line. */
	private static final int ROW = 8;

	private static final int ROW_BITS = 12;

	private static final int FADES_MILLIS = 500;

	/** The unit of time is a tick: nanoseconds, shifted right by this number of bits. */
	private static final int TICK_BITS = 20;

	private static final double TICK_MILLIS = (1 << TICK_BITS) / (double) TimeUnit.MILLISECONDS.toNanos(1);

	/** The factors by which a count decays, by the number of ticks that have passed. */
	private static final float[] LEFT = new float[4096];

	/**
	 * The maximum number of ticks by which the time in a cell may be ahead of a thread
	 * that has read its own time earlier.
	 */
	private static final int MAX_AHEAD = 64;

	/**
	 * A cell contains 20 bits that identify the bucket, 20 bits of the time, and the
	 * count.
	 */
	private static final int PART_BITS = 20;

	private static final int PART = (1 << PART_BITS) - 1;

	private static final int COUNT_BITS = 24;

	/**
	 * A count is stored without its sign, which is always positive, and without its last
	 * bits.
	 */
	private static final int FLOAT_SHIFT = 7;

	static {
		for (int ticks = 0; ticks < LEFT.length; ticks++) {
			LEFT[ticks] = (float) Math.exp(-ticks * TICK_MILLIS / FADES_MILLIS);
		}
	}

	private final AtomicLongArray cells = new AtomicLongArray(ROW << ROW_BITS);

	/**
	 * Add a demand.
	 * @param bucket the bucket
	 * @param units the units that are requested
	 * @param nowNanos the time
	 * @return the demand in units per second
	 */
	double record(Bucket bucket, long units, long nowNanos) {
		int hash = bucket.hashCode() * 0x9E3779B9;
		int row = (hash >>> (Integer.SIZE - ROW_BITS)) * ROW;
		// The lower bits, because the upper bits determine the row.
		int name = hash & PART;
		int now = (int) (nowNanos >>> TICK_BITS) & PART;
		while (true) {
			int index = index(row, name, now);
			long before = this.cells.get(index);
			float count = ((name(before) == name) ? faded(before, now) : 0) + units;
			if (this.cells.compareAndSet(index, before, pack(name, now, count))) {
				return count * 1000 / FADES_MILLIS;
			}
		}
	}

	// Return the cell of the bucket, or else the cell of the least busy bucket in the
	// row.
	private int index(int row, int name, int now) {
		int least = row;
		float leastCount = Float.MAX_VALUE;
		for (int index = row; index < row + ROW; index++) {
			long packed = this.cells.get(index);
			if (name(packed) == name) {
				return index;
			}
			float count = faded(packed, now);
			if (count < leastCount) {
				leastCount = count;
				least = index;
			}
		}
		return least;
	}

	private static int name(long packed) {
		return (int) (packed >>> (PART_BITS + COUNT_BITS));
	}

	private static float faded(long packed, int now) {
		int ticks = (now - (int) (packed >>> COUNT_BITS)) & PART;
		float count = Float.intBitsToFloat((int) (packed << FLOAT_SHIFT) & Integer.MAX_VALUE);
		if (ticks < LEFT.length) {
			return count * LEFT[ticks];
		}
		return (ticks > PART - MAX_AHEAD) ? count : 0;
	}

	private static long pack(int name, int now, float count) {
		return ((long) name << (PART_BITS + COUNT_BITS)) | ((long) now << COUNT_BITS)
				| (Float.floatToRawIntBits(count) >>> FLOAT_SHIFT);
	}

}
