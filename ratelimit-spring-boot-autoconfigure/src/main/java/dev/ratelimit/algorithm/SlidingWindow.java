package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Estimates a sliding window from two fixed windows: all units of the current window, and
 * the part of the previous window's units that the sliding window still covers, as if
 * these units were evenly distributed. The state has three numbers for any limit. The
 * error depends on the actual distribution of the units.
 */
final class SlidingWindow implements Algorithm {

	static final String ID = "sliding-window";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		Requirements.noBurst(limit);
		return new SlidingWindowCalculator(limit.quantity(), new EvenWindows(limit.period().toMillis()));
	}

	/**
	 * The estimate of a sliding window from two fixed ones. The state contains the start
	 * of the current window, the units of the previous window, and the units of the
	 * current window. Units are multiplied by the length of a window before they are
	 * compared, to avoid divisions.
	 * <p>
	 * If the clock is set back to before the current window, that window begins now, and
	 * the following windows are moved with it, so that the estimate does not decrease for
	 * time that has not passed.
	 */
	static final class SlidingWindowCalculator implements LimitCalculator {

		private static final int START = 0;

		private static final int PREVIOUS = 1;

		private static final int CURRENT = 2;

		private final long capacity;

		private final EvenWindows windows;

		private final long length;

		private final long[] luaArguments;

		SlidingWindowCalculator(long capacity, EvenWindows windows) {
			this.capacity = capacity;
			this.windows = windows;
			this.length = windows.longestMillis();
			Requirements.require(capacity <= Requirements.MAX_EXACT_INTEGER / 8 / this.length, "a limit of " + capacity
					+ " cannot be counted exactly over this period; shorten the period or use fixed-window");
			long[] bounds = windows.luaArguments(0);
			this.luaArguments = new long[] { capacity, bounds[0], bounds[1] };
		}

		@Override
		public long capacity() {
			return this.capacity;
		}

		@Override
		public long fillMillis() {
			return 2 * this.length;
		}

		@Override
		public String meaning() {
			return this.windows.toString();
		}

		@Override
		public long[] luaArguments(long nowMillis) {
			return this.luaArguments;
		}

		@Override
		public boolean supportsLeasing() {
			return true;
		}

		@Override
		public long openMillis(long[] seen, long nowMillis) {
			return sight(seen, nowMillis).left();
		}

		@Override
		public long closesMillis(long takenMillis) {
			return this.windows.startMillis(takenMillis) + this.length;
		}

		@Override
		public long countsMillis(long takenMillis) {
			return closesMillis(takenMillis) - takenMillis + this.length;
		}

		@Override
		public int stateLength() {
			return 3;
		}

		@Override
		public long largestNumber() {
			return Math.max(Requirements.HORIZON_MILLIS, 2 * this.capacity);
		}

		@Override
		public long[] cut(long[] state, long nowMillis) {
			if (state.length > 0 && state[START] > nowMillis) {
				state[START] = nowMillis;
			}
			return state;
		}

		@Override
		public int width() {
			return 3;
		}

		@Override
		public long[] look(long[] state, long cost, long nowMillis) {
			return state;
		}

		@Override
		public boolean fits(long[] seen, long cost, long nowMillis) {
			return cost == 0
					|| (cost <= this.capacity && used(seen, nowMillis) <= (this.capacity - cost) * this.length);
		}

		@Override
		public long usedUnits(long[] state, long nowMillis) {
			return Refill.ceilDiv(used(state, nowMillis), this.length);
		}

		@Override
		public BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis) {
			Sight before = sight(seen, nowMillis);
			long retryAfter = (cost <= this.capacity) ? before.waitFor(cost) : Wait.NEVER;
			Sight after = (charged) ? before.with(cost) : before;
			long remaining = Math.max(0, Math.floorDiv(this.capacity * this.length - after.used(), this.length));
			long nextUnit = (remaining < this.capacity) ? after.waitFor(remaining + 1) : 0;
			return new BucketSnapshot(retryAfter == 0, remaining, retryAfter, after.untilUnused(), nextUnit);
		}

		@Override
		public long[] take(long[] state, long cost, long nowMillis) {
			return sight(state, nowMillis).with(cost).into(state);
		}

		@Override
		public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
			Sight now = sight(state, nowMillis);
			long bound = 2 * this.capacity;
			long added = Math.max(-bound, Math.min(units, bound));
			if (added > 0) {
				long free = Math.max(0, bound - Refill.ceilDiv(now.used(), this.length));
				return now.with(Math.min(added, free)).into(state);
			}
			long window = Math.floorDiv(takenAtMillis - now.start, this.length);
			Sight after = (window == 0) ? now.with(Math.max(added, -now.current)) : now;
			after = (window == -1) ? now.withPrevious(Math.max(added, -now.previous)) : after;
			return (after.untilUnused() == 0) ? EMPTY : after.into(state);
		}

		@Override
		public long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
			Sight now = sight(state, nowMillis);
			if (takenAtMillis >= Math.min(nowMillis, now.start)) {
				return settle(state, nowMillis, units, nowMillis);
			}
			long free = Math.max(0, 2 * this.capacity - now.previous);
			Sight after = (takenAtMillis >= now.start - this.length) ? now.withPrevious(Math.min(units, free)) : now;
			return (after.untilUnused() == 0) ? EMPTY : after.into(state);
		}

		@Override
		public long fullInMillis(long[] state, long nowMillis) {
			return sight(state, nowMillis).untilUnused();
		}

		private long used(long[] seen, long nowMillis) {
			return sight(seen, nowMillis).used();
		}

		private static boolean isUnused(long[] state) {
			return state.length == 0 || state[PREVIOUS] + state[CURRENT] == 0;
		}

		// The two windows at a time.
		private Sight sight(long[] state, long nowMillis) {
			if (isUnused(state) || nowMillis - state[START] >= 2 * this.length) {
				long start = this.windows.startMillis(nowMillis);
				return new Sight(start, 0, 0, nowMillis - start);
			}
			long elapsed = nowMillis - state[START];
			if (elapsed >= this.length) {
				return new Sight(state[START] + this.length, state[CURRENT], 0, elapsed - this.length);
			}
			return new Sight(state[START], state[PREVIOUS], state[CURRENT], Math.max(0, elapsed));
		}

		/**
		 * The two windows at a time.
		 */
		private final class Sight {

			private final long start;

			private final long previous;

			private final long current;

			private final long elapsed;

			Sight(long start, long previous, long current, long elapsed) {
				this.start = start;
				this.previous = previous;
				this.current = current;
				this.elapsed = elapsed;
			}

			// The estimate, times the length of a window.
			long used() {
				return this.previous * left() + this.current * length();
			}

			long waitFor(long cost) {
				long free = (SlidingWindowCalculator.this.capacity - cost - this.current) * length();
				if (cost == 0 || this.previous * left() <= free) {
					return 0;
				}
				if (free > 0) {
					long fitsAt = Refill.ceilDiv(this.previous * length() - free, this.previous);
					return fitsAt - this.elapsed;
				}
				long beyond = (free < 0) ? Refill.ceilDiv(-free, this.current) : 0;
				return left() + beyond;
			}

			long untilUnused() {
				if (this.previous == 0 && this.current == 0) {
					return 0;
				}
				return left() + ((this.current > 0) ? length() : 0);
			}

			Sight with(long units) {
				return new Sight(this.start, this.previous, this.current + units, this.elapsed);
			}

			Sight withPrevious(long units) {
				return new Sight(this.start, this.previous + units, this.current, this.elapsed);
			}

			long[] into(long[] state) {
				long[] next = (state.length > 0) ? state : new long[3];
				next[START] = this.start;
				next[PREVIOUS] = this.previous;
				next[CURRENT] = this.current;
				return next;
			}

			private long left() {
				return length() - this.elapsed;
			}

			private long length() {
				return SlidingWindowCalculator.this.length;
			}

		}

	}

}
