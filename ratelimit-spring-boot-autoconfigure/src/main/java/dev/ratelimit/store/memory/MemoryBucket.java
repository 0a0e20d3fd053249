package dev.ratelimit.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

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

	private static final AtomicLong NUMBERS = new AtomicLong();

	private static final VarHandle STATE = stateHandle();

	private final long number = NUMBERS.getAndIncrement();

	private final Arithmetic arithmetic;

	private volatile long[] state = Arithmetic.EMPTY;

	/** Until when the cache keeps this bucket. */
	private volatile long keptUntilMillis;

	MemoryBucket(Arithmetic arithmetic, long keptUntilMillis) {
		this.arithmetic = arithmetic;
		this.keptUntilMillis = keptUntilMillis;
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

	boolean outlives(long millis) {
		return this.keptUntilMillis > millis;
	}

	/**
	 * Extend the time that the cache keeps this bucket, unless somebody has done so
	 * meanwhile.
	 * @param untilMillis until when
	 * @param extension tells the cache
	 */
	synchronized void keepUntil(long untilMillis, LongConsumer extension) {
		if (!outlives(untilMillis) && !isGone(this.state)) {
			extension.accept(untilMillis);
			this.keptUntilMillis = untilMillis;
		}
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
