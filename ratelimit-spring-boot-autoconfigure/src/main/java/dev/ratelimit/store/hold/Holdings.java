package dev.ratelimit.store.hold;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * The slots that this instance holds, by bucket. The map updates the slots of a bucket on
 * one thread at a time. Thread-safe.
 */
final class Holdings {

	/**
	 * The maximum number of listed slots. A slot takes about 250 bytes if it is the only
	 * one of its bucket.
	 */
	static final long MAX_SLOTS = 200_000;

	private static final int LEASE_PAUSES = 3;

	private final Map<Bucket, Holding> byBucket = new ConcurrentHashMap<>();

	private final ToLongFunction<String> maxHoldMillis;

	private final Time time;

	private final HoldingStatus status = new HoldingStatus();

	Holdings(ToLongFunction<String> maxHoldMillis, Time time) {
		this.maxHoldMillis = maxHoldMillis;
		this.time = time;
	}

	HoldingStatus status() {
		return this.status;
	}

	static boolean concern(AcquireRequest request) {
		List<Charge> charges = request.charges();
		for (int i = 0; i < charges.size(); i++) {
			if (concerns(charges.get(i))) {
				return true;
			}
		}
		return false;
	}

	static boolean concern(Bucket bucket) {
		return bucket.family().policy().concurrent();
	}

	private static boolean concerns(Charge charge) {
		return charge.cost() > 0 && concern(charge.bucket());
	}

	boolean isFull() {
		return this.status.slots() >= MAX_SLOTS;
	}

	void called(AcquireRequest request) {
		for (Charge charge : request.charges()) {
			if (concerns(charge)) {
				change(charge.bucket(), (holding) -> holding.addPending(charge.cost()));
			}
		}
	}

	void responded(AcquireRequest request, @Nullable AcquireResult result) {
		long nowMillis = nowMillis();
		for (int i = 0; i < request.charges().size(); i++) {
			Charge charge = request.charges().get(i);
			if (concerns(charge)) {
				boolean taken = result != null && result.taken(i);
				long takenAt = (result != null && taken) ? result.charge(i).takenAtMillis() : 0;
				// Without a response, the store may have charged the request, even if it
				// was rejected here.
				boolean alone = result == null || result.charge(i).source() == Source.FALLBACK;
				change(charge.bucket(), (holding) -> {
					holding.responded(charge.cost());
					if (taken) {
						holding.take(takenAt, charge.cost(), nowMillis, alone);
						this.status.took(ruleOf(charge.bucket()), 1);
					}
					if (alone) {
						holding.doubt(nowMillis);
					}
				});
			}
		}
	}

	/**
	 * Count slots that were taken while too many slots were held to list them. They are
	 * counted as long as other slots of their bucket are listed.
	 * @param request the request
	 * @param result the result; null if there is none
	 */
	void tookUnlisted(AcquireRequest request, @Nullable AcquireResult result) {
		for (int i = 0; result != null && i < request.charges().size(); i++) {
			Charge charge = request.charges().get(i);
			if (concerns(charge) && result.taken(i)) {
				this.byBucket.computeIfPresent(charge.bucket(), (key, existing) -> {
					existing.takeUnlisted();
					return existing;
				});
			}
		}
	}

	/**
	 * Release slots.
	 * @param settlement the released slots
	 * @return whether the store must be notified: the slots were not released before
	 */
	boolean release(Settlement settlement) {
		if (settlement.units() >= 0 || !concern(settlement.bucket())) {
			return true;
		}
		Bucket bucket = settlement.bucket();
		// A slot that is not listed was charged while too many slots were held, or it was
		// released already. In the second case, the store has no slot to release.
		boolean[] passed = { true };
		this.byBucket.computeIfPresent(bucket, (key, existing) -> {
			boolean listed = existing.release(settlement, nowMillis());
			if (listed) {
				this.status.took(ruleOf(bucket), -1);
			}
			passed[0] = listed || existing.releaseUnlisted();
			return kept(existing);
		});
		return passed[0];
	}

	/**
	 * Renew a bucket, because the store may have a wrong number of slots for it.
	 * @param bucket the bucket
	 */
	void doubt(Bucket bucket) {
		if (concern(bucket)) {
			change(bucket, (holding) -> holding.doubt(nowMillis()));
		}
	}

	/**
	 * Return the buckets to renew now.
	 * @return the buckets
	 */
	List<Bucket> due() {
		long nowMillis = nowMillis();
		List<Bucket> due = new ArrayList<>();
		this.byBucket.forEach((bucket, holding) -> {
			if (holding.isDue(nowMillis)) {
				due.add(bucket);
			}
		});
		return due;
	}

	List<Bucket> all() {
		return List.copyOf(this.byBucket.keySet());
	}

	/**
	 * Return the number of slots of a bucket that are held or requested, without slots
	 * past their maximum time, which this method ends.
	 * @param bucket the bucket
	 * @return the number
	 */
	long count(Bucket bucket) {
		long nowMillis = nowMillis();
		long[] count = new long[1];
		change(bucket, (holding) -> {
			long ended = holding.end(nowMillis - this.maxHoldMillis.applyAsLong(ruleOf(bucket)));
			this.status.ended(ruleOf(bucket), ended);
			count[0] = holding.renewing(nowMillis);
		});
		return count[0];
	}

	void renewed(Bucket bucket, boolean done) {
		change(bucket, (holding) -> holding.renewed(done, nowMillis()));
	}

	private void change(Bucket bucket, Consumer<Holding> change) {
		this.byBucket.compute(bucket, (key, existing) -> {
			Holding holding = (existing != null) ? existing : new Holding(nowMillis(), pauseMillis(bucket));
			change.accept(holding);
			return kept(holding);
		});
	}

	private @Nullable Holding kept(Holding holding) {
		if (holding.isInUse()) {
			return holding;
		}
		holding.empty(nowMillis());
		return (holding.isDoubtful() && this.byBucket.size() < MAX_SLOTS) ? holding : null;
	}

	// Two renewals may fail before the lease ends.
	private static long pauseMillis(Bucket bucket) {
		return bucket.family().calculator().fillMillis() / LEASE_PAUSES;
	}

	private long nowMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.time.nanos());
	}

	private static String ruleOf(Bucket bucket) {
		return bucket.family().policy().ruleId();
	}

	/**
	 * The slots of one bucket. Changed by one thread at a time.
	 */
	private static final class Holding {

		private static final int TAKEN = 0;

		private static final int SINCE = 1;

		private static final int UNITS = 2;

		private static final int SIZE = 3;

		/**
		 * For each charge, its time by the store's clock, its time by this instance's
		 * clock, and its units; the units are negative if only this instance has counted
		 * them.
		 */
		private long[] charges = new long[SIZE];

		private int end;

		/** Units of charges without a response. */
		private long pending;

		/**
		 * The number of charges that are not listed, because too many slots were held.
		 */
		private long unlisted;

		/** Whether the store may have another number of slots. */
		private boolean doubtful;

		/** Whether a renewal is pending. */
		private boolean renewing;

		/** The pause between two renewals, which is a third of the lease. */
		private final long pauseMillis;

		/**
		 * The time at which the store has freed all slots that it may have for an empty
		 * bucket.
		 */
		private long forgottenMillis = Long.MAX_VALUE;

		/** The time of the next renewal. Other threads read it to find due buckets. */
		private volatile long dueMillis;

		Holding(long nowMillis, long pauseMillis) {
			this.pauseMillis = pauseMillis;
			this.dueMillis = nowMillis + pauseMillis;
		}

		void addPending(long units) {
			this.pending += units;
			this.forgottenMillis = Long.MAX_VALUE;
		}

		void responded(long units) {
			this.pending -= units;
		}

		void take(long takenAtMillis, long units, long nowMillis, boolean alone) {
			if (this.end == this.charges.length) {
				this.charges = Arrays.copyOf(this.charges, 2 * this.end);
			}
			this.charges[this.end + TAKEN] = takenAtMillis;
			this.charges[this.end + SINCE] = nowMillis;
			this.charges[this.end + UNITS] = (alone) ? -units : units;
			this.end += SIZE;
		}

		boolean release(Settlement settlement, long nowMillis) {
			int at = find(settlement);
			if (at < 0) {
				return false;
			}
			// A renewal may have reported the slot to the store, and only another renewal
			// reports its release.
			if (this.charges[at + UNITS] < 0) {
				doubt(nowMillis);
			}
			remove(at);
			return true;
		}

		// Charges of one call have the same time, so charges with the same units are
		// preferred.
		private int find(Settlement settlement) {
			int found = -1;
			for (int at = 0; at < this.end; at += SIZE) {
				if (this.charges[at + TAKEN] == settlement.takenAtMillis()) {
					if (Math.abs(this.charges[at + UNITS]) == -settlement.units()) {
						return at;
					}
					found = at;
				}
			}
			return found;
		}

		void takeUnlisted() {
			this.unlisted++;
		}

		boolean releaseUnlisted() {
			if (this.unlisted == 0) {
				return false;
			}
			this.unlisted--;
			return true;
		}

		/**
		 * End the charges that have been held since a time or longer.
		 * @param throughMillis the time
		 * @return the number of ended charges
		 */
		long end(long throughMillis) {
			long ended = 0;
			for (int at = this.end - SIZE; at >= 0; at -= SIZE) {
				if (this.charges[at + SINCE] <= throughMillis) {
					remove(at);
					ended++;
				}
			}
			return ended;
		}

		// The order of charges does not matter.
		private void remove(int at) {
			this.end -= SIZE;
			System.arraycopy(this.charges, this.end, this.charges, at, SIZE);
		}

		void doubt(long nowMillis) {
			this.doubtful = true;
			this.dueMillis = nowMillis;
		}

		boolean isDue(long nowMillis) {
			return this.dueMillis <= nowMillis;
		}

		/**
		 * Begin a renewal.
		 * @param nowMillis the time
		 * @return the number of units to report to the store
		 */
		long renewing(long nowMillis) {
			this.renewing = true;
			this.dueMillis = nowMillis + this.pauseMillis;
			// Whether pending units are taken is unknown, so another renewal follows
			// soon.
			this.doubtful = this.pending > 0;
			return this.pending + units();
		}

		void renewed(boolean done, long nowMillis) {
			this.renewing = false;
			if (!done) {
				this.doubtful = true;
				this.dueMillis = nowMillis + this.pauseMillis / 2;
			}
			else if (this.doubtful) {
				this.dueMillis = nowMillis;
			}
		}

		private long units() {
			long units = 0;
			for (int at = 0; at < this.end; at += SIZE) {
				units += Math.abs(this.charges[at + UNITS]);
			}
			return units;
		}

		/**
		 * Whether slots are held or requested, or a renewal is pending.
		 * @return whether the bucket is in use
		 */
		boolean isInUse() {
			return this.end > 0 || this.pending > 0 || this.renewing;
		}

		/**
		 * Record that no slots are held. The store frees its slots after the lease.
		 * @param nowMillis the time
		 */
		void empty(long nowMillis) {
			if (this.forgottenMillis == Long.MAX_VALUE) {
				this.forgottenMillis = nowMillis + LEASE_PAUSES * this.pauseMillis;
			}
			this.doubtful &= nowMillis < this.forgottenMillis;
		}

		/**
		 * Whether the store may have a wrong number of slots.
		 * @return whether it may; for an empty bucket, never longer than the lease
		 */
		boolean isDoubtful() {
			return this.doubtful;
		}

	}

}
