package dev.ratelimit.store.guard;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;

/**
 * Units that the store has not charged to a bucket yet, for requests that were allowed at
 * about the same time. A correction of such a request is applied once: to the debt until
 * the store has charged it, and to the charge in the store afterwards. If units do not
 * refill evenly, all these requests count as of the time of the first one. Thread-safe.
 */
final class Debt {

	/** The number of debts that cover the time for which a bucket remembers units. */
	private static final int SPANS = 16;

	private final Bucket bucket;

	private final long atMillis;

	private final long atNanos;

	private final OwedUnits owed;

	private Stage stage = Stage.OWED;

	/** Corrections while the charge is pending. */
	private long heldBack;

	/** The units that the store has charged, and can refund. */
	private long chargedUnits;

	private long chargedAtMillis;

	/** The debt that this one was moved to, or this debt. */
	private Debt holder = this;

	/**
	 * Create a debt without units.
	 * @param bucket the store's bucket
	 * @param atMillis the time at which the first request was allowed, by the clock of
	 * local charges
	 * @param atNanos the same moment as a {@link Time}
	 */
	Debt(Bucket bucket, long atMillis, long atNanos) {
		this.bucket = bucket;
		this.atMillis = atMillis;
		this.atNanos = atNanos;
		this.owed = OwedUnits.of(bucket.family(), atMillis);
		this.chargedAtMillis = atMillis;
	}

	Bucket bucket() {
		return this.bucket;
	}

	long atNanos() {
		return this.atNanos;
	}

	/**
	 * Whether a request that was allowed belongs to this debt. A request must not count
	 * as of a later time than its own.
	 * @param takenNanos the time at which the request was allowed
	 * @return whether it was allowed at about the same time
	 */
	boolean covers(long takenNanos) {
		long laterNanos = takenNanos - this.atNanos;
		return this.bucket.family().refillsEvenly() || (laterNanos >= 0
				&& laterNanos < TimeUnit.MILLISECONDS.toNanos(this.bucket.family().calculator().fillMillis()) / SPANS);
	}

	synchronized void add(long units, long takenNanos) {
		this.owed.add(units, millis(takenNanos));
	}

	/**
	 * Return the units that are owed.
	 * @param nowNanos the time
	 * @return the number of units
	 */
	synchronized long due(long nowNanos) {
		return (this.stage == Stage.OWED) ? this.owed.due(millis(nowNanos)) : 0;
	}

	/**
	 * Correct the charge of a request that belongs to this debt.
	 * @param units the units to add to the charge; negative to refund
	 * @param nowNanos the time
	 * @return the correction that the store must make
	 */
	synchronized Optional<Settlement> correct(long units, long nowNanos) {
		if (this.holder != this) {
			return this.holder.correct(units, nowNanos);
		}
		switch (this.stage) {
			case OWED -> this.owed.add(units, millis(nowNanos));
			case SENT -> this.heldBack += units;
			case SETTLED -> {
				return settlement(units);
			}
		}
		return Optional.empty();
	}

	// The store can refund only the units that it has charged.
	private Optional<Settlement> settlement(long units) {
		long change = Math.max(units, -this.chargedUnits);
		this.chargedUnits += change;
		return (change != 0) ? Optional.of(new Settlement(this.bucket, this.chargedAtMillis, change))
				: Optional.empty();
	}

	/**
	 * Move the owed units to another debt.
	 * @param older the other debt
	 * @param nowNanos the time
	 */
	synchronized void moveTo(Debt older, long nowNanos) {
		older.add(due(nowNanos), nowNanos);
		this.holder = older;
		this.stage = Stage.SETTLED;
	}

	/**
	 * Send this debt to the store.
	 * @param most the maximum number of units to charge
	 * @param nowNanos the time
	 * @param deadlineNanos the time after which the store must not charge it
	 * @return the charge, if there is any debt left
	 */
	synchronized Optional<LateCharge> send(long most, long nowNanos, long deadlineNanos) {
		long units = Math.min(most, due(nowNanos));
		if (units <= 0) {
			settle();
			return Optional.empty();
		}
		this.stage = Stage.SENT;
		// Round up, so that the units do not count as of a later time.
		long ageMillis = this.owed.ageMillis(units, millis(nowNanos)) + 1;
		return Optional.of(new LateCharge(new Settlement(this.bucket, this.atMillis, units),
				nowNanos - TimeUnit.MILLISECONDS.toNanos(ageMillis), deadlineNanos));
	}

	/**
	 * Record that the store has charged this debt.
	 * @param charge the charge that the store has made
	 * @return the corrections that arrived meanwhile
	 */
	synchronized Optional<Settlement> charged(Settlement charge) {
		if (this.stage != Stage.SENT) {
			return Optional.empty();
		}
		this.stage = Stage.SETTLED;
		this.chargedUnits = charge.units();
		this.chargedAtMillis = charge.takenAtMillis();
		return settlement(this.heldBack);
	}

	/**
	 * Record that the store has certainly not charged this debt.
	 * @param nowNanos the time
	 * @return whether it is still owed
	 */
	synchronized boolean uncharged(long nowNanos) {
		if (this.stage != Stage.SENT) {
			return false;
		}
		this.stage = Stage.OWED;
		this.owed.add(this.heldBack, millis(nowNanos));
		this.heldBack = 0;
		return true;
	}

	/** End the debt. It is neither charged nor refunded from now on. */
	synchronized void settle() {
		this.stage = Stage.SETTLED;
	}

	private long millis(long momentNanos) {
		return this.atMillis + TimeUnit.NANOSECONDS.toMillis(momentNanos - this.atNanos);
	}

	private enum Stage {

		/** Not charged. */
		OWED,

		/** Sent to the store. */
		SENT,

		/** Charged, or no longer owed. */
		SETTLED

	}

	/**
	 * The units of a debt. Units that have refilled meanwhile are not owed.
	 */
	private abstract static class OwedUnits {

		private final LimitCalculator calculator;

		private OwedUnits(LimitCalculator calculator) {
			this.calculator = calculator;
		}

		static OwedUnits of(BucketFamily family, long atMillis) {
			return (family.refillsEvenly()) ? new Refilled(family.calculator())
					: new Timed(family.calculator(), atMillis);
		}

		LimitCalculator calculator() {
			return this.calculator;
		}

		/**
		 * Add units.
		 * @param units the number of units; negative to refund
		 * @param takenAtMillis the time at which they were taken
		 */
		abstract void add(long units, long takenAtMillis);

		/**
		 * Return the units that are owed.
		 * @param nowMillis the time
		 * @return the number of units, rounded up
		 */
		abstract long due(long nowMillis);

		/**
		 * Return the time since exactly a number of units was owed.
		 * @param units the number of units, at least 1 and at most the due units
		 * @param nowMillis the time
		 * @return milliseconds
		 */
		abstract long ageMillis(long units, long nowMillis);

		/**
		 * The state of a bucket that refills evenly and contains only the owed units.
		 */
		private static final class Refilled extends OwedUnits {

			private long[] state = LimitCalculator.EMPTY;

			Refilled(LimitCalculator calculator) {
				super(calculator);
			}

			@Override
			void add(long units, long takenAtMillis) {
				this.state = calculator().settle(this.state, takenAtMillis, units, takenAtMillis);
			}

			@Override
			long due(long nowMillis) {
				return Math.min(calculator().capacity(), calculator().usedUnits(this.state, nowMillis));
			}

			// A part of a unit counts as a whole unit of an earlier time.
			@Override
			long ageMillis(long units, long nowMillis) {
				long[] whole = calculator().settle(LimitCalculator.EMPTY, nowMillis, units, nowMillis);
				return Math.max(0,
						calculator().fullInMillis(whole, nowMillis) - calculator().fullInMillis(this.state, nowMillis));
			}

		}

		/**
		 * Units that refill all at once: when their window closes, or a period after they
		 * were taken.
		 */
		private static final class Timed extends OwedUnits {

			private final long atMillis;

			private long units;

			Timed(LimitCalculator calculator, long atMillis) {
				super(calculator);
				this.atMillis = atMillis;
			}

			@Override
			void add(long units, long takenAtMillis) {
				this.units = Math.max(0, this.units + units);
			}

			@Override
			long due(long nowMillis) {
				long[] one = calculator().takeLate(LimitCalculator.EMPTY, this.atMillis, 1, nowMillis);
				return (calculator().fullInMillis(one, nowMillis) > 0) ? this.units : 0;
			}

			@Override
			long ageMillis(long units, long nowMillis) {
				return Math.max(0, nowMillis - this.atMillis);
			}

		}

	}

}
