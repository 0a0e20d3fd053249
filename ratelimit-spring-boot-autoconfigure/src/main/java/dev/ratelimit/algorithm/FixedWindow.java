package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Counts units in consecutive windows, each from zero. Around the end of a window, up to
 * twice the limit may be allowed within the length of one window.
 */
final class FixedWindow implements Algorithm {

	static final String ID = "fixed-window";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public boolean followsCalendar() {
		return true;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		Requirements.noBurst(limit);
		Windows windows = limit.calendar()
			.<Windows>map(CalendarWindows::new)
			.orElseGet(() -> new EvenWindows(limit.period().toMillis()));
		return new FixedWindowCalculator(limit.quantity(), windows);
	}

	/**
	 * The units used in one window. The state contains the time at which the window
	 * closes, and the units. The numbers seen are the same for the current window.
	 * <p>
	 * A window counts until it closes, even if the clock was set back to before it began,
	 * so that no client gets a second window. It then closes no later than a window that
	 * begins now.
	 */
	static final class FixedWindowCalculator implements LimitCalculator {

		private static final int CLOSES = 0;

		private static final int USED = 1;

		/** The number of arguments, which is the same for all kinds of windows. */
		private static final int LUA_ARGUMENTS = 5;

		private final long capacity;

		private final Windows windows;

		private volatile LuaArguments luaArguments = new LuaArguments(EMPTY, EMPTY);

		FixedWindowCalculator(long capacity, Windows windows) {
			this.capacity = capacity;
			this.windows = windows;
			Requirements.require(capacity <= Requirements.MAX_EXACT_INTEGER / 4,
					"a limit of " + capacity + " cannot be counted exactly");
		}

		@Override
		public long capacity() {
			return this.capacity;
		}

		@Override
		public long fillMillis() {
			return this.windows.longestMillis();
		}

		@Override
		public String meaning() {
			return this.windows.toString();
		}

		@Override
		public long[] luaArguments(long nowMillis) {
			long[] bounds = this.windows.luaArguments(nowMillis);
			LuaArguments current = this.luaArguments;
			if (current.bounds != bounds) {
				current = LuaArguments.of(this.capacity, bounds);
				this.luaArguments = current;
			}
			return current.all;
		}

		@Override
		public boolean supportsLeasing() {
			return true;
		}

		@Override
		public long openMillis(long[] seen, long nowMillis) {
			return seen[CLOSES] - nowMillis;
		}

		@Override
		public long closesMillis(long takenMillis) {
			return this.windows.closesMillis(takenMillis, 0);
		}

		@Override
		public long countsMillis(long takenMillis) {
			return closesMillis(takenMillis) - takenMillis;
		}

		@Override
		public int stateLength() {
			return 2;
		}

		@Override
		public long largestNumber() {
			return Math.max(Requirements.HORIZON_MILLIS, 2 * this.capacity);
		}

		@Override
		public long[] cut(long[] state, long nowMillis) {
			if (isOpen(state, nowMillis) && state[CLOSES] > this.windows.lastMillis(nowMillis)) {
				state[CLOSES] = this.windows.lastMillis(nowMillis);
			}
			return state;
		}

		@Override
		public int width() {
			return 2;
		}

		@Override
		public long[] look(long[] state, long cost, long nowMillis) {
			return (isOpen(state, nowMillis)) ? state : opened(state, new long[2], nowMillis);
		}

		@Override
		public boolean fits(long[] seen, long cost, long nowMillis) {
			return cost == 0 || (cost <= this.capacity && seen[USED] <= this.capacity - cost);
		}

		@Override
		public long usedUnits(long[] state, long nowMillis) {
			return look(state, 0, nowMillis)[USED];
		}

		@Override
		public BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis) {
			boolean fits = fits(seen, cost, nowMillis);
			long used = seen[USED] + ((charged) ? cost : 0);
			long untilClosed = seen[CLOSES] - nowMillis;
			long retryAfter = (cost <= this.capacity) ? untilClosed : Wait.NEVER;
			long untilUnused = (used == 0) ? 0 : untilClosed;
			return new BucketSnapshot(fits, Math.max(0, this.capacity - used), (fits) ? 0 : retryAfter, untilUnused,
					untilUnused);
		}

		@Override
		public long[] take(long[] state, long cost, long nowMillis) {
			long[] next = current(state, nowMillis);
			next[USED] += cost;
			return next;
		}

		@Override
		public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
			boolean taken = isOpen(state, nowMillis) && this.windows.holds(state[CLOSES], takenAtMillis, nowMillis);
			if (units <= 0 && !taken) {
				return state;
			}
			long bound = 2 * this.capacity;
			long[] next = current(state, nowMillis);
			long wanted = next[USED] + Math.max(-bound, Math.min(units, bound));
			next[USED] = Math.max(0, Math.min(wanted, Math.max(next[USED], bound)));
			return next;
		}

		@Override
		public long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
			long closesMillis = look(state, 0, nowMillis)[CLOSES];
			return (this.windows.reaches(closesMillis, takenAtMillis, nowMillis))
					? settle(state, nowMillis, units, nowMillis) : state;
		}

		@Override
		public long fullInMillis(long[] state, long nowMillis) {
			return (isOpen(state, nowMillis)) ? state[CLOSES] - nowMillis : 0;
		}

		private static boolean isUsed(long[] state) {
			return state.length > 0 && state[USED] > 0;
		}

		private static boolean isOpen(long[] state, long nowMillis) {
			return isUsed(state) && nowMillis < state[CLOSES];
		}

		private long[] current(long[] state, long nowMillis) {
			return (isOpen(state, nowMillis)) ? state
					: opened(state, (state.length > 0) ? state : new long[2], nowMillis);
		}

		private long[] opened(long[] former, long[] state, long nowMillis) {
			state[CLOSES] = this.windows.closesMillis(nowMillis, (isUsed(former)) ? former[CLOSES] : 0);
			state[USED] = 0;
			return state;
		}

		private record LuaArguments(long[] bounds, long[] all) {

			static LuaArguments of(long capacity, long[] bounds) {
				long[] all = new long[LUA_ARGUMENTS];
				all[0] = capacity;
				System.arraycopy(bounds, 0, all, 1, bounds.length);
				return new LuaArguments(bounds, all);
			}

		}

	}

}
