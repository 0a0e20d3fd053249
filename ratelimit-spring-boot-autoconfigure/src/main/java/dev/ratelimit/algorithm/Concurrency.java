package dev.ratelimit.algorithm;

import java.util.Arrays;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * Counts concurrent requests. Each request occupies a slot, which belongs to the instance
 * that processes the request. A settlement releases the slot. All slots of an instance
 * expire if the instance has not renewed them for the limit's period.
 */
final class Concurrency implements Algorithm {

	static final String ID = "concurrency";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public Policy.Unit unit() {
		return Policy.Unit.CONCURRENT_REQUESTS;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		Requirements.noBurst(limit);
		Requirements.require(limit.quantity() <= ConcurrencyCalculator.MAX_CAPACITY,
				ID + " supports at most 1,000,000,000,000 concurrent requests, because more cannot be counted exactly");
		return new ConcurrencyCalculator(limit.quantity(), limit.period().toMillis(), 0);
	}

	/**
	 * The slots that instances hold. The state has three numbers for each instance: its
	 * id, the time of its latest heartbeat, and its units. If an instance has no
	 * heartbeat for the time of a lease, all of its units expire. The numbers seen are
	 * the units of all instances that have not expired, and their latest heartbeat, which
	 * is 0 if there are none.
	 */
	private static final class ConcurrencyCalculator implements LimitCalculator {

		/** The maximum capacity, so that twice the capacity and its sums are exact. */
		static final long MAX_CAPACITY = 1_000_000_000_000L;

		/**
		 * The maximum retry-after: a slot may become free at any time, so a client can
		 * retry soon.
		 */
		private static final long RETRY_MILLIS = 1000;

		private static final int HOLDER = 0;

		private static final int HEARTBEAT = 1;

		private static final int UNITS = 2;

		private static final int SIZE = 3;

		private static final int USED = 0;

		private static final int NEWEST = 1;

		private final long capacity;

		private final long leaseMillis;

		private final long holder;

		private final long[] luaArguments;

		ConcurrencyCalculator(long capacity, long leaseMillis, long holder) {
			this.capacity = capacity;
			this.leaseMillis = leaseMillis;
			this.holder = holder;
			this.luaArguments = new long[] { capacity, leaseMillis, holder };
		}

		@Override
		public LimitCalculator heldBy(long other) {
			return new ConcurrencyCalculator(this.capacity, this.leaseMillis, other);
		}

		@Override
		public long capacity() {
			return this.capacity;
		}

		@Override
		public long fillMillis() {
			return this.leaseMillis;
		}

		// The word 'held' distinguishes these states from former states with a lease for
		// each request.
		@Override
		public String meaning() {
			return "held " + this.leaseMillis;
		}

		@Override
		public long[] luaArguments(long nowMillis) {
			return this.luaArguments;
		}

		@Override
		public long[] cut(long[] state, long nowMillis) {
			for (int at = 0; at < state.length; at += SIZE) {
				state[at + HEARTBEAT] = Math.min(state[at + HEARTBEAT], nowMillis);
			}
			return state;
		}

		@Override
		public int width() {
			return 2;
		}

		@Override
		public long[] look(long[] state, long cost, long nowMillis) {
			long used = 0;
			long newest = 0;
			for (int at = 0; at < state.length; at += SIZE) {
				if (state[at + HEARTBEAT] > nowMillis - this.leaseMillis) {
					used += state[at + UNITS];
					newest = Math.max(newest, state[at + HEARTBEAT]);
				}
			}
			return new long[] { used, newest };
		}

		@Override
		public boolean fits(long[] seen, long cost, long nowMillis) {
			return cost == 0 || (cost <= this.capacity && seen[USED] <= this.capacity - cost);
		}

		@Override
		public BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis) {
			boolean fits = fits(seen, cost, nowMillis);
			long used = seen[USED] + ((charged) ? cost : 0);
			long newest = (charged) ? Math.max(seen[NEWEST], nowMillis) : seen[NEWEST];
			long reset = (used == 0) ? 0 : newest + this.leaseMillis - nowMillis;
			long soon = Math.min(reset, RETRY_MILLIS);
			long retryAfter = (cost <= this.capacity) ? soon : Wait.NEVER;
			return new BucketSnapshot(fits, Math.max(0, this.capacity - used), (fits) ? 0 : retryAfter, reset, soon);
		}

		@Override
		public long[] take(long[] state, long cost, long nowMillis) {
			long[] living = living(state, nowMillis);
			return with(living, own(living) + cost, nowMillis);
		}

		@Override
		public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
			long[] living = living(state, nowMillis);
			long own = own(living);
			long free = Math.max(0, 2 * this.capacity - look(living, 0, nowMillis)[USED]);
			long change = (units < 0) ? -Math.min(-Math.max(units, -MAX_CAPACITY * 2), own) : Math.min(units, free);
			int at = find(living);
			return (change == 0) ? living : with(living, own + change, (at >= 0) ? living[at + HEARTBEAT] : nowMillis);
		}

		@Override
		public long[] hold(long[] state, long units, long nowMillis) {
			return with(state, units, nowMillis);
		}

		@Override
		public boolean holds(long[] state) {
			return find(state) >= 0;
		}

		@Override
		public long fullInMillis(long[] state, long nowMillis) {
			long newest = nowMillis - this.leaseMillis;
			for (int at = 0; at < state.length; at += SIZE) {
				newest = Math.max(newest, state[at + HEARTBEAT]);
			}
			return newest + this.leaseMillis - nowMillis;
		}

		private long own(long[] state) {
			int at = find(state);
			return (at >= 0) ? state[at + UNITS] : 0;
		}

		private int find(long[] state) {
			for (int at = 0; at < state.length; at += SIZE) {
				if (state[at + HOLDER] == this.holder) {
					return at;
				}
			}
			return -1;
		}

		private long[] with(long[] state, long units, long beatMillis) {
			int at = find(state);
			if (units == 0) {
				return (at >= 0) ? without(state, at) : state;
			}
			long[] next = (at >= 0) ? state : Arrays.copyOf(state, state.length + SIZE);
			int into = (at >= 0) ? at : state.length;
			next[into + HOLDER] = this.holder;
			next[into + HEARTBEAT] = beatMillis;
			next[into + UNITS] = units;
			return next;
		}

		private long[] living(long[] state, long nowMillis) {
			long[] living = state;
			for (int at = state.length - SIZE; at >= 0; at -= SIZE) {
				if (state[at + HEARTBEAT] <= nowMillis - this.leaseMillis) {
					living = without(living, at);
				}
			}
			return living;
		}

		private static long[] without(long[] state, int at) {
			long[] rest = Arrays.copyOf(state, state.length - SIZE);
			System.arraycopy(state, at + SIZE, rest, at, rest.length - at);
			return rest;
		}

	}

}
