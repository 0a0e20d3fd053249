package dev.ratelimit.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.BucketSnapshot;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * A bucket and its counter in one object, which is both key and value in the cache, to
 * save a cache miss. Its state is changed in place, by one thread at a time: each thread
 * holds the bucket for the few nanoseconds of its arithmetic. A charge of several buckets
 * holds them in the order of their numbers, to prevent deadlocks.
 */
final class MemoryBucket extends Bucket {

	static final Comparator<MemoryBucket> ORDER = Comparator.comparingLong((bucket) -> bucket.number);

	/**
	 * The initial slack: the time for which a bucket is kept beyond the time that it
	 * needs.
	 */
	static final long MIN_SLACK_MILLIS = 1000;

	/**
	 * A charge within this time before the expiry extends it, so that a busy bucket
	 * stays.
	 */
	private static final long RENEWAL_MILLIS = 500;

	/** The maximum slack is eight times the initial slack. */
	private static final int MAX_DOUBLINGS = 3;

	private static final AtomicLong NUMBERS = new AtomicLong();

	private static final VarHandle HELD = heldHandle();

	private final long number = NUMBERS.getAndIncrement();

	private volatile boolean held;

	/** Whether the cache has evicted this bucket: a charge on it would be lost. */
	private boolean gone;

	/** The number of times that the slack was doubled. */
	private byte doublings;

	/** Whether the latest charge did not fit. */
	private boolean exhausted;

	private long[] state = LimitCalculator.EMPTY;

	/** The time until which the cache keeps this bucket. */
	private volatile long keptUntilMillis;

	MemoryBucket(Bucket bucket, long keptUntilMillis) {
		super(bucket.family(), bucket.subject());
		this.keptUntilMillis = keptUntilMillis;
	}

	// Until the release, no other thread changes the bucket. No code of the application
	// is called meanwhile.
	void hold() {
		int attempts = 0;
		// Test before compare-and-set, so that waiting threads do not take the cache
		// line.
		while (this.held || !HELD.weakCompareAndSetAcquire(this, false, true)) {
			Backoff.pause(attempts++);
		}
	}

	void release() {
		HELD.setRelease(this, false);
	}

	boolean isGone() {
		return this.gone;
	}

	long[] state(LimitCalculator limit, long nowMillis) {
		this.state = limit.cut(this.state, nowMillis);
		return this.state;
	}

	void take(long cost, long nowMillis) {
		this.state = calculator().take(this.state, cost, nowMillis);
	}

	/**
	 * Charge a cost, unless the cache has evicted this bucket.
	 * @param limit the active limit
	 * @param cost the cost
	 * @param rejects whether a cost that does not fit is rejected
	 * @param nowMillis the time
	 * @param reservation the terms of corrections
	 * @param keeper keeps this bucket for as long as the charge requires
	 * @return the charge, or a rejection of a cost that does not fit now; null if nothing
	 * was decided
	 */
	@Nullable MemoryCharge charge(BucketFamily limit, long cost, boolean rejects, long nowMillis, ReservationTerms reservation,
			Keeper keeper) {
		LimitCalculator calculator = limit.calculator();
		if (rejects && this.exhausted) {
			MemoryCharge rejection = rejection(limit, cost, nowMillis, reservation);
			if (rejection != null) {
				return rejection;
			}
		}
		boolean fits;
		long number;
		long @Nullable [] numbers;
		long fullMillis = 0;
		long keptMillis = 0;
		hold();
		try {
			long[] seen = calculator.look(state(calculator, nowMillis), cost, nowMillis);
			fits = seen.length > 0 && calculator.fits(seen, cost, nowMillis);
			// A cost above the capacity is not decided here, because its rejection has
			// another reason.
			if (this.gone || seen.length == 0 || (!fits && (!rejects || cost > calculator.capacity()))) {
				return null;
			}
			number = seen[0];
			numbers = (seen.length > 1) ? seen.clone() : null;
			this.exhausted = !fits;
			if (fits) {
				take(cost, nowMillis);
				fullMillis = nowMillis + calculator.fullInMillis(this.state, nowMillis);
				// Read this before the release. Afterwards, another thread may have the
				// cache line, and reading takes longer.
				keptMillis = this.keptUntilMillis;
			}
		}
		finally {
			release();
		}
		if (fits && isShort(keptMillis, fullMillis)) {
			keeper.keep(this, fullMillis);
		}
		return new MemoryCharge(reservation, this, fits, cost, limit, nowMillis, number, numbers);
	}

	// Rejects a flood without holding the bucket, which only one thread at a time can do.
	// A single number is read atomically, and a charge that changes it later is a later
	// decision. Null if several numbers must be read, or if the cost may fit.
	private @Nullable MemoryCharge rejection(BucketFamily limit, long cost, long nowMillis,
			ReservationTerms reservation) {
		LimitCalculator calculator = limit.calculator();
		long[] current = this.state;
		if (this.held || current.length != 1 || cost > calculator.capacity()) {
			return null;
		}
		long number = current[0];
		long[] present = { number };
		long[] seen = calculator.look(calculator.cut(present, nowMillis), cost, nowMillis);
		boolean same = seen.length == 1 && seen[0] == number && present[0] == number;
		return (!same || this.gone || calculator.fits(seen, cost, nowMillis)) ? null
				: new MemoryCharge(reservation, this, false, cost, limit, nowMillis, number, null);
	}

	long settle(Settlement settlement, long nowMillis) {
		// Use the capacity of the charge, which the settlement contains.
		LimitCalculator charged = settlement.bucket().family().calculator();
		return change((state) -> charged.settle(state, settlement.takenAtMillis(), settlement.units(), nowMillis),
				nowMillis);
	}

	long renew(long units, long nowMillis) {
		return change((state) -> calculator().hold(state, units, nowMillis), nowMillis);
	}

	// Returns the milliseconds until the bucket is full after the change, or -1 if the
	// cache has evicted it.
	private long change(UnaryOperator<long[]> change, long nowMillis) {
		hold();
		try {
			if (this.gone) {
				return -1;
			}
			this.state = change.apply(this.state);
			return calculator().fullInMillis(this.state, nowMillis);
		}
		finally {
			release();
		}
	}

	boolean knowsHolder() {
		hold();
		try {
			return calculator().holds(this.state);
		}
		finally {
			release();
		}
	}

	// The units used under a given limit. Limits that differ only by their burst share
	// a bucket.
	long used(LimitCalculator limit, long nowMillis) {
		hold();
		try {
			return limit.usedUnits(state(limit, nowMillis), nowMillis);
		}
		finally {
			release();
		}
	}

	// Mark this bucket as evicted. Returns whether it was neither evicted before nor
	// full.
	boolean discard(long nowMillis) {
		hold();
		try {
			return !this.gone && calculator().fullInMillis(this.state, nowMillis) > 0;
		}
		finally {
			this.gone = true;
			release();
		}
	}

	boolean outlives(long fullMillis) {
		return !isShort(this.keptUntilMillis, fullMillis);
	}

	private static boolean isShort(long keptUntilMillis, long fullMillis) {
		return keptUntilMillis <= fullMillis + RENEWAL_MILLIS;
	}

	/**
	 * Return the time until which the cache must keep this bucket. Each extension is
	 * longer than the previous one, because an update of the cache costs as much as
	 * several charges.
	 * @param fullMillis the time at which this bucket will be full again
	 * @return the time
	 */
	long extension(long fullMillis) {
		return fullMillis + (MIN_SLACK_MILLIS << this.doublings);
	}

	/**
	 * Record that the cache keeps this bucket longer. The calling thread has held the
	 * monitor of the bucket since it called {@link #extension}.
	 * @param untilMillis the time until which the cache keeps it
	 */
	void extended(long untilMillis) {
		this.keptUntilMillis = untilMillis;
		this.doublings = (byte) Math.min(this.doublings + 1, MAX_DOUBLINGS);
	}

	private LimitCalculator calculator() {
		return family().calculator();
	}

	private static VarHandle heldHandle() {
		try {
			return MethodHandles.lookup().findVarHandle(MemoryBucket.class, "held", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/**
	 * The container that keeps buckets.
	 */
	interface Keeper {

		/**
		 * Keep a bucket for as long as a charge on it requires. Called after the charge
		 * was made, so that the last of several threads sets the time that all of them
		 * need.
		 * @param bucket the bucket
		 * @param fullMillis the time at which it will be full again
		 */
		void keep(MemoryBucket bucket, long fullMillis);

	}

	/**
	 * The wait of a thread for another one that holds a bucket for a few nanoseconds.
	 */
	private static final class Backoff {

		/**
		 * The number of attempts after which the thread yields the processor to others.
		 */
		private static final int YIELDING_ATTEMPTS = 3;

		/**
		 * The number of spins before the first repeated attempt. A thread that checks
		 * more often takes the cache line of the bucket from the holder.
		 */
		private static final int FIRST_SPINS = 64;

		private Backoff() {
		}

		/**
		 * Wait before the next attempt, twice as long each time. Meanwhile, a thread that
		 * has just held the bucket can hold it again, because the bucket is in its cache.
		 * @param attempts the number of attempts so far
		 */
		static void pause(int attempts) {
			if (attempts >= YIELDING_ATTEMPTS) {
				Thread.yield();
				return;
			}
			for (int spins = FIRST_SPINS << attempts; spins > 0; spins--) {
				Thread.onSpinWait();
			}
		}

	}

	/**
	 * A charge to a bucket in memory, or a rejection, with the numbers seen of the bucket
	 * before.
	 */
	private static final class MemoryCharge extends LocalCharge {

		private final boolean allowed;

		private final BucketFamily limit;

		private final long takenAtMillis;

		/** The number seen, if it is the only one. */
		private final long number;

		/** The numbers seen, if there are several. */
		private final long @Nullable [] numbers;

		MemoryCharge(ReservationTerms reservation, Bucket bucket, boolean allowed, long cost, BucketFamily limit,
				long takenAtMillis, long number, long @Nullable [] numbers) {
			super(reservation, bucket, cost);
			this.allowed = allowed;
			this.limit = limit;
			this.takenAtMillis = takenAtMillis;
			this.number = number;
			this.numbers = numbers;
		}

		@Override
		public boolean allowed() {
			return this.allowed;
		}

		@Override
		protected Verdict verdict(long cost) {
			long[] seen = (this.numbers != null) ? this.numbers : new long[] { this.number };
			BucketSnapshot reading = this.limit.calculator().read(seen, cost, this.allowed, this.takenAtMillis);
			return new Verdict(this.limit.policy(), (this.allowed) ? Outcome.ALLOWED : Outcome.REJECTED, cost,
					reading.remaining(), reading.retryAfterMillis(), reading.resetAfterMillis(),
					reading.nextUnitMillis(), reading.delayMillis());
		}

		@Override
		protected Policy policy() {
			return this.limit.policy();
		}

		@Override
		protected long takenAtMillis() {
			return this.takenAtMillis;
		}

	}

}
