package dev.ratelimit.store.guard;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.BucketFamily;

/**
 * The units of a debt. What comes back to the bucket meanwhile is no longer owed.
 */
abstract class OwedUnits {

	private final LimitCalculator arithmetic;

	private OwedUnits(LimitCalculator arithmetic) {
		this.arithmetic = arithmetic;
	}

	static OwedUnits of(BucketFamily family, long atMillis) {
		return (family.refillsEvenly()) ? new Refilled(family.arithmetic()) : new Timed(family.arithmetic(), atMillis);
	}

	LimitCalculator arithmetic() {
		return this.arithmetic;
	}

	/**
	 * Add units.
	 * @param units how many; negative to give back
	 * @param takenAtMillis the time at which they were taken
	 */
	abstract void add(long units, long takenAtMillis);

	/**
	 * What is owed.
	 * @param nowMillis the time
	 * @return how many units, rounded up
	 */
	abstract long due(long nowMillis);

	/**
	 * A state of a bucket that refills evenly, with nothing else in it.
	 */
	private static final class Refilled extends OwedUnits {

		private long[] state = LimitCalculator.EMPTY;

		Refilled(LimitCalculator arithmetic) {
			super(arithmetic);
		}

		@Override
		void add(long units, long takenAtMillis) {
			this.state = arithmetic().settle(this.state, takenAtMillis, units, takenAtMillis);
		}

		@Override
		long due(long nowMillis) {
			long[] seen = arithmetic().look(this.state, 0, nowMillis);
			return arithmetic().capacity() - arithmetic().read(seen, 0, false, nowMillis).remaining();
		}

	}

	/**
	 * Units that come back all at once: when their window closes, or a period after they
	 * were taken.
	 */
	private static final class Timed extends OwedUnits {

		private final long atMillis;

		private long units;

		Timed(LimitCalculator arithmetic, long atMillis) {
			super(arithmetic);
			this.atMillis = atMillis;
		}

		@Override
		void add(long units, long takenAtMillis) {
			this.units = Math.max(0, this.units + units);
		}

		@Override
		long due(long nowMillis) {
			long[] one = arithmetic().takeLate(LimitCalculator.EMPTY, this.atMillis, 1, nowMillis);
			return (arithmetic().fullInMillis(one, nowMillis) > 0) ? this.units : 0;
		}

	}

}
