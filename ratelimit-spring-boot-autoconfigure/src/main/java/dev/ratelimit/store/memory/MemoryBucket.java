package dev.ratelimit.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.algorithm.Arithmetic;

/**
 * One counter: its state, replaced whole. A single charge is one compare-and-set; a
 * charge over several buckets holds each for the few nanoseconds of its arithmetic, in
 * the order of their numbers, so that nobody waits in a circle.
 */
final class MemoryBucket {

	static final Comparator<MemoryBucket> ORDER = Comparator.comparingLong((bucket) -> bucket.number);

	/** Stands in for the state while several buckets change together. */
	private static final long[] HELD = new long[1];

	/** The cache has let go of this bucket: a charge on it would be lost. */
	private static final long[] GONE = new long[1];

	private static final int SPINS = 64;

	/**
	 * How many charges may be between their look-up, which sets the expiry, and their
	 * landing: threads that run at once, doubled. Were it ever more, the bucket would be
	 * forgotten while that many units short of full.
	 */
	private static final int CHARGES_UNDER_WAY = 2 * Runtime.getRuntime().availableProcessors();

	private static final AtomicLong NUMBERS = new AtomicLong();

	private static final VarHandle STATE = stateHandle();

	private final long number = NUMBERS.getAndIncrement();

	private volatile Arithmetic arithmetic;

	private volatile long[] state = Arithmetic.EMPTY;

	private volatile long largestCost;

	MemoryBucket(Arithmetic arithmetic, long cost) {
		this.arithmetic = arithmetic;
		this.largestCost = Math.max(1, cost);
	}

	static boolean isGone(long[] state) {
		return state == GONE;
	}

	// The state, once nobody holds it.
	long[] settled() {
		for (int spins = 0;; spins++) {
			long[] current = this.state;
			if (current != HELD) {
				return current;
			}
			pause(spins);
		}
	}

	boolean replace(long[] expected, long[] next) {
		return STATE.compareAndSet(this, expected, next);
	}

	/**
	 * Take hold, unless the bucket is gone.
	 * @return the state, to be put back by {@link #release}
	 */
	long[] hold() {
		while (true) {
			long[] current = settled();
			if (isGone(current) || replace(current, HELD)) {
				return current;
			}
		}
	}

	void release(long[] next) {
		this.state = next;
	}

	// Let go of this bucket for good.
	// Returns whether it still had something to remember
	boolean discard(long nowMillis) {
		long[] last = hold();
		this.state = GONE;
		return !isGone(last) && this.arithmetic.fullInMillis(last, nowMillis) > 0;
	}

	/**
	 * Be prepared for a charge. A limit can have been given a larger burst meanwhile.
	 * @param arithmetic what the charge goes by
	 * @param cost its cost
	 * @return whether it is more than was expected, so that the bucket must be kept
	 * longer
	 */
	boolean expect(Arithmetic arithmetic, long cost) {
		boolean more = cost > this.largestCost;
		if (more) {
			this.largestCost = cost;
		}
		if (arithmetic != this.arithmetic && arithmetic.capacity() > this.arithmetic.capacity()) {
			this.arithmetic = arithmetic;
			more = true;
		}
		return more;
	}

	// When the bucket will be full again, with all charges under way taken.
	long fullInMillis(long nowMillis) {
		long[] current = this.state;
		if (current == HELD || current == GONE) {
			return this.arithmetic.fillMillis();
		}
		long most = this.arithmetic.capacity();
		long cost = (this.largestCost > most / CHARGES_UNDER_WAY) ? most : this.largestCost * CHARGES_UNDER_WAY;
		return this.arithmetic.fullInMillis(this.arithmetic.charge(current, cost, nowMillis), nowMillis);
	}

	private static void pause(int spins) {
		if (spins < SPINS) {
			Thread.onSpinWait();
		}
		else {
			Thread.yield();
		}
	}

	private static VarHandle stateHandle() {
		try {
			return MethodHandles.lookup().findVarHandle(MemoryBucket.class, "state", long[].class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

}
