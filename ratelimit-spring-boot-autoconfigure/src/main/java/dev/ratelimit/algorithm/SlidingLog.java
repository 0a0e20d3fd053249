package dev.ratelimit.algorithm;

import java.util.Arrays;

import dev.ratelimit.Limit;

/**
 * Remembers the time of each unit for one period. It is exact over any period, and its
 * state is as large as the limit.
 */
final class SlidingLog implements Algorithm {

	static final String ID = "sliding-log";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		Requirements.noBurst(limit);
		Requirements.require(limit.quantity() <= SlidingLogCalculator.MAX_CAPACITY,
				ID + " supports at most 10,000 units, because it stores an entry for each; use sliding-window");
		return new SlidingLogCalculator(limit.quantity(), limit.period().toMillis());
	}

	/**
	 * Times in ascending order in one array: the index of the first time, the index of
	 * the end, and then the times. The array grows so that adding a time takes constant
	 * time on average.
	 */
	static final class UnitLog {

		private static final int FIRST = 0;

		private static final int END = 1;

		private static final int HEAD = 2;

		private UnitLog() {
		}

		static long newest(long[] log) {
			return log[(int) log[END] - 1];
		}

		static boolean isEmpty(long[] log) {
			return log.length == 0 || log[FIRST] == log[END];
		}

		// The index of the first entry above a time.
		static int above(long[] log, long time) {
			int low = (int) log[FIRST];
			int high = (int) log[END];
			while (low < high) {
				int middle = (low + high) >>> 1;
				if (log[middle] > time) {
					high = middle;
				}
				else {
					low = middle + 1;
				}
			}
			return low;
		}

		static int countAbove(long[] log, long time) {
			return (log.length == 0) ? 0 : (int) log[END] - above(log, time);
		}

		static void dropThrough(long[] log, long time) {
			if (log.length > 0) {
				log[FIRST] = above(log, time);
			}
		}

		// Replace all times after a given time with the given time.
		static void cut(long[] log, long time) {
			Arrays.fill(log, above(log, time), (int) log[END], time);
		}

		static long[] add(long[] log, long time, int count) {
			long[] next = withCapacity(log, count);
			int at = above(next, time);
			int end = (int) next[END];
			System.arraycopy(next, at, next, at + count, end - at);
			Arrays.fill(next, at, at + count, time);
			next[END] = end + count;
			return next;
		}

		static void remove(long[] log, long time, long count) {
			int high = above(log, time);
			int low = above(log, time - 1);
			int removed = (int) Math.min(count, high - low);
			int end = (int) log[END];
			System.arraycopy(log, high, log, high - removed, end - high);
			log[END] = end - removed;
		}

		// Entries are moved within the array only if this frees at least as many places
		// as entries are moved.
		private static long[] withCapacity(long[] log, int count) {
			if (log.length == 0) {
				return moved(log, new long[HEAD + 2 * count], 0);
			}
			int first = (int) log[FIRST];
			int size = (int) log[END] - first;
			if (log[END] + count <= log.length) {
				return log;
			}
			boolean reuse = first - HEAD >= size && HEAD + size + count <= log.length;
			return moved(log, (reuse) ? log : new long[HEAD + 2 * (size + count)], size);
		}

		private static long[] moved(long[] from, long[] into, int size) {
			if (size > 0) {
				System.arraycopy(from, (int) from[FIRST], into, HEAD, size);
			}
			into[FIRST] = HEAD;
			into[END] = HEAD + size;
			return into;
		}

	}

	/**
	 * The times of the units taken within the last period. The state is a
	 * {@link SlidingLog.UnitLog}; the numbers seen are the used units, the time of the
	 * unit that must expire before the cost fits, the time of the unit that must expire
	 * before the remaining units increase, and the time of the newest unit, each 0 if
	 * there is none.
	 */
	static final class SlidingLogCalculator implements LimitCalculator {

		/**
		 * The maximum number of entries, which limits the memory of a bucket and the time
		 * of a script.
		 */
		static final long MAX_CAPACITY = 10_000;

		private static final int USED = 0;

		private static final int BLOCKING = 1;

		private static final int NEXT = 2;

		private static final int NEWEST = 3;

		private final long capacity;

		private final long periodMillis;

		private final long[] luaArguments;

		SlidingLogCalculator(long capacity, long periodMillis) {
			this.capacity = capacity;
			this.periodMillis = periodMillis;
			this.luaArguments = new long[] { capacity, periodMillis };
		}

		@Override
		public long capacity() {
			return this.capacity;
		}

		@Override
		public long fillMillis() {
			return this.periodMillis;
		}

		@Override
		public String meaning() {
			return Long.toString(this.periodMillis);
		}

		@Override
		public long[] luaArguments(long nowMillis) {
			return this.luaArguments;
		}

		@Override
		public long[] cut(long[] state, long nowMillis) {
			if (!SlidingLog.UnitLog.isEmpty(state) && SlidingLog.UnitLog.newest(state) > nowMillis) {
				SlidingLog.UnitLog.cut(state, nowMillis);
			}
			return state;
		}

		@Override
		public int width() {
			return 4;
		}

		@Override
		public long[] look(long[] state, long cost, long nowMillis) {
			int used = SlidingLog.UnitLog.countAbove(state, nowMillis - this.periodMillis);
			if (used == 0) {
				return new long[4];
			}
			int oldest = SlidingLog.UnitLog.above(state, nowMillis - this.periodMillis);
			long next = state[oldest + (int) Math.max(0, used - this.capacity)];
			boolean blocked = cost > 0 && cost <= this.capacity && used > this.capacity - cost;
			long blocking = (blocked) ? state[oldest + (int) (used + cost - this.capacity) - 1] : 0;
			return new long[] { used, blocking, next, SlidingLog.UnitLog.newest(state) };
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
			long retryAfter = (cost <= this.capacity) ? leavesIn(seen[BLOCKING], nowMillis) : Wait.NEVER;
			long used = seen[USED] + ((charged) ? cost : 0);
			long newest = (charged) ? Math.max(seen[NEWEST], nowMillis) : seen[NEWEST];
			long next = (charged && (seen[USED] == 0 || nowMillis < seen[NEXT])) ? nowMillis : seen[NEXT];
			return new BucketSnapshot(fits, Math.max(0, this.capacity - used), (fits) ? 0 : retryAfter,
					(used == 0) ? 0 : leavesIn(newest, nowMillis), (used == 0) ? 0 : leavesIn(next, nowMillis));
		}

		// The unit that must expire is not known, but any cost fits once the newest unit
		// has expired.
		@Override
		public long[] seenForMore(long[] seen, long cost) {
			return new long[] { seen[USED], seen[NEWEST], seen[NEXT], seen[NEWEST] };
		}

		@Override
		public long[] seenOnceExhausted(long[] seen, long cost, long nowMillis) {
			long next = (seen[USED] == 0 || nowMillis < seen[NEXT]) ? nowMillis : seen[NEXT];
			return new long[] { seen[USED] + cost, next, next, Math.max(seen[NEWEST], nowMillis) };
		}

		@Override
		public long[] take(long[] state, long cost, long nowMillis) {
			SlidingLog.UnitLog.dropThrough(state, nowMillis - this.periodMillis);
			return SlidingLog.UnitLog.add(state, nowMillis, Math.toIntExact(cost));
		}

		@Override
		public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
			if (units > 0) {
				return takeLate(state, nowMillis, units, nowMillis);
			}
			if (!SlidingLog.UnitLog.isEmpty(state)) {
				SlidingLog.UnitLog.remove(state, takenAtMillis, -Math.max(units, -2 * this.capacity));
			}
			return state;
		}

		@Override
		public long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
			SlidingLog.UnitLog.dropThrough(state, nowMillis - this.periodMillis);
			long free = 2 * this.capacity - SlidingLog.UnitLog.countAbove(state, nowMillis - this.periodMillis);
			return (free > 0 && takenAtMillis > nowMillis - this.periodMillis)
					? SlidingLog.UnitLog.add(state, Math.min(nowMillis, takenAtMillis), (int) Math.min(units, free))
					: state;
		}

		@Override
		public long fullInMillis(long[] state, long nowMillis) {
			return (SlidingLog.UnitLog.isEmpty(state)) ? 0
					: Math.max(0, leavesIn(SlidingLog.UnitLog.newest(state), nowMillis));
		}

		private long leavesIn(long takenAtMillis, long nowMillis) {
			return takenAtMillis + this.periodMillis - nowMillis;
		}

	}

}
