package dev.ratelimit.algorithm;

/**
 * The times of the units taken within the last period. The state is a {@link UnitLog};
 * what is seen are the units used, the time of the unit whose leaving makes the cost fit,
 * of the one whose leaving makes the remaining grow, and of the newest, each 0 where
 * there is none.
 */
final class SlidingLogCalculator implements LimitCalculator {

	/** The most entries, so that neither memory nor a script's time gets out of hand. */
	static final long MOST = 10_000;

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
		if (!UnitLog.isEmpty(state) && UnitLog.newest(state) > nowMillis) {
			UnitLog.cut(state, nowMillis);
		}
		return state;
	}

	@Override
	public int width() {
		return 4;
	}

	@Override
	public long[] look(long[] state, long cost, long nowMillis) {
		int used = UnitLog.countAbove(state, nowMillis - this.periodMillis);
		if (used == 0) {
			return new long[4];
		}
		int oldest = UnitLog.above(state, nowMillis - this.periodMillis);
		long next = state[oldest + (int) Math.max(0, used - this.capacity)];
		boolean blocked = cost > 0 && cost <= this.capacity && used > this.capacity - cost;
		long blocking = (blocked) ? state[oldest + (int) (used + cost - this.capacity) - 1] : 0;
		return new long[] { used, blocking, next, UnitLog.newest(state) };
	}

	@Override
	public boolean fits(long[] seen, long cost, long nowMillis) {
		return cost == 0 || (cost <= this.capacity && seen[USED] <= this.capacity - cost);
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

	// Which unit must leave is not known, but once the newest has left, any cost fits.
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
		UnitLog.dropThrough(state, nowMillis - this.periodMillis);
		return UnitLog.add(state, nowMillis, Math.toIntExact(cost));
	}

	@Override
	public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
		if (units > 0) {
			return takeLate(state, nowMillis, units, nowMillis);
		}
		if (!UnitLog.isEmpty(state)) {
			UnitLog.remove(state, takenAtMillis, -Math.max(units, -2 * this.capacity));
		}
		return state;
	}

	@Override
	public long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
		UnitLog.dropThrough(state, nowMillis - this.periodMillis);
		long room = 2 * this.capacity - UnitLog.countAbove(state, nowMillis - this.periodMillis);
		return (room > 0 && takenAtMillis > nowMillis - this.periodMillis)
				? UnitLog.add(state, Math.min(nowMillis, takenAtMillis), (int) Math.min(units, room)) : state;
	}

	@Override
	public long fullInMillis(long[] state, long nowMillis) {
		return (UnitLog.isEmpty(state)) ? 0 : Math.max(0, leavesIn(UnitLog.newest(state), nowMillis));
	}

	private long leavesIn(long takenAtMillis, long nowMillis) {
		return takenAtMillis + this.periodMillis - nowMillis;
	}

}
