package dev.ratelimit.load;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.hash.KeyedHash;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one level: the number of their seats, and the requests that wait. Not
 * thread-safe.
 */
final class SeatLevel {

	/**
	 * The part of its share by which a level may exceed the share for modest flows, whose
	 * demand is below that of a waiting flow.
	 */
	private static final double MAX_EXCESS = 0.25;

	private static final Comparator<SeatFlow> NEXT = Comparator.<SeatFlow>comparingInt((flow) -> flow.taken)
		.thenComparingLong((flow) -> flow.first().sinceNanos);

	final Level level;

	private final double share;

	private final SeatFlows flows = new SeatFlows();

	private final Set<SeatFlow> queue = new LinkedHashSet<>();

	private final RecentRate seated;

	private final RecentMean recentlyTaken;

	int taken;

	int waiting;

	long allowed;

	long shed;

	long shedLate;

	long wouldShed;

	SeatLevel(Level level, int percent, long nowNanos) {
		this.level = level;
		this.seated = new RecentRate(nowNanos);
		this.recentlyTaken = new RecentMean(nowNanos);
		this.share = percent / 100.0;
	}

	private SeatFlow flow(Seat seat) {
		return this.flows.get(seat.flow);
	}

	/**
	 * Return whether the next seat is within the share of the level.
	 * @param more the number of its requests that receive seats before
	 * @param seats the number of seats
	 * @return whether the level has at most its share with that seat
	 */
	boolean isBelowShare(int more, int seats) {
		return this.taken + more + 1 <= this.share * seats;
	}

	/**
	 * Return the part of its share that the level has not used recently, and may use now.
	 * A modest flow may use more, so that it does not wait for the seats of a flow with a
	 * larger demand.
	 * @param flow the flow of the request that needs a seat
	 * @param seats the number of seats
	 * @return a part of its share; not positive if the level has used enough, on average
	 */
	double saved(String flow, int seats) {
		double saved = 1 - this.recentlyTaken.get() / (this.share * seats);
		return (saved > -MAX_EXCESS && isModest(flow)) ? saved + MAX_EXCESS : saved;
	}

	private boolean isModest(String key) {
		int demand = demand(this.flows.find(key));
		return this.queue.stream().anyMatch((flow) -> demand(flow) > demand);
	}

	private static int demand(@Nullable SeatFlow flow) {
		return (flow != null) ? flow.taken + flow.waiting() : 0;
	}

	void take(Seat seat, long nowNanos) {
		this.recentlyTaken.was(this.taken, nowNanos);
		this.taken++;
		flow(seat).taken++;
		this.allowed++;
		this.seated.add(nowNanos);
	}

	void free(Seat seat, long nowNanos) {
		this.recentlyTaken.was(this.taken, nowNanos);
		this.taken--;
		SeatFlow flow = flow(seat);
		flow.taken--;
		forget(flow);
	}

	void reject(Seat seat) {
		seat.shed();
		this.shedLate++;
	}

	void countShed(boolean shadow) {
		if (shadow) {
			this.wouldShed++;
		}
		else {
			this.shed++;
		}
	}

	LevelStatus status() {
		return new LevelStatus(this.taken, this.waiting, this.allowed, this.shed, this.shedLate, this.wouldShed);
	}

	void enqueue(Seat seat) {
		this.waiting++;
		SeatFlow flow = flow(seat);
		flow.add(seat);
		this.queue.add(flow);
	}

	void dequeue(Seat seat) {
		this.waiting--;
		SeatFlow flow = flow(seat);
		flow.remove(seat);
		if (flow.waiting() == 0) {
			this.queue.remove(flow);
			forget(flow);
		}
	}

	private void forget(SeatFlow flow) {
		if (flow.isIdle()) {
			this.flows.remove(flow);
		}
	}

	/**
	 * Return the next request: the first request of the flow with the fewest seats.
	 * @return the request, which waits
	 */
	Seat next() {
		return this.queue.stream().min(NEXT).orElseThrow().first();
	}

	/**
	 * Return the flow with the most waiting requests.
	 * @return the flow
	 */
	SeatFlow longest() {
		return this.queue.stream().max(Comparator.comparingInt(SeatFlow::waiting)).orElseThrow();
	}

	/**
	 * Return the number of requests of a flow that wait.
	 * @param key the flow
	 * @return the number
	 */
	int waiting(String key) {
		SeatFlow flow = this.flows.find(key);
		return (flow != null) ? flow.waiting() : 0;
	}

	/**
	 * Return the number of requests ahead of one more request: the requests that receive
	 * a seat while their flow does not have more seats than the flow of the further
	 * request will have.
	 * @param key the flow of the further request
	 * @return the number
	 */
	int ahead(String key) {
		int demand = demand(this.flows.find(key));
		int ahead = 0;
		for (SeatFlow flow : this.queue) {
			ahead += Math.max(0, Math.min(flow.waiting(), demand - flow.taken + 1));
		}
		return ahead;
	}

	/**
	 * Return the rate at which requests of this level have recently received seats.
	 * @param nowNanos the time
	 * @return requests per nanosecond
	 */
	double rate(long nowNanos) {
		return this.seated.at(nowNanos);
	}

	/**
	 * The recent mean of a number. Not thread-safe.
	 */
	private static final class RecentMean {

		private static final double DECAY_NANOS = TimeUnit.SECONDS.toNanos(1);

		private double mean;

		private long lastNanos;

		RecentMean(long nowNanos) {
			this.lastNanos = nowNanos;
		}

		/**
		 * Record the number before it changes.
		 * @param value the number before the change
		 * @param nowNanos the time
		 */
		void was(int value, long nowNanos) {
			// The time of a late thread may be earlier than that of another thread.
			long ageNanos = Math.max(0, nowNanos - this.lastNanos);
			double age = ageNanos / DECAY_NANOS;
			this.mean = (this.mean + age * value) / (1 + age);
			this.lastNanos += ageNanos;
		}

		double get() {
			return this.mean;
		}

	}

	/**
	 * Flows by their keys. On an idle instance, nearly every request is the only one of
	 * its flow, so a map of the JDK would allocate an entry for each request. Not
	 * thread-safe.
	 */
	private static final class SeatFlows {

		private static final int MIN_TABLE_SIZE = 16;

		/**
		 * The flows by hash. The length is a power of two. Flows with the same index are
		 * siblings.
		 */
		private @Nullable SeatFlow[] table = new SeatFlow[MIN_TABLE_SIZE];

		private int size;

		@Nullable SeatFlow find(String key) {
			SeatFlow flow = this.table[index(key)];
			while (flow != null && !flow.key.equals(key)) {
				flow = flow.sibling;
			}
			return flow;
		}

		/**
		 * Return the flow of a key, and create it if it does not exist.
		 * @param key the key
		 * @return its flow
		 */
		SeatFlow get(String key) {
			SeatFlow existing = find(key);
			if (existing != null) {
				return existing;
			}
			if (this.size == this.table.length) {
				grow();
			}
			SeatFlow flow = new SeatFlow(key);
			this.size++;
			add(flow);
			return flow;
		}

		private void add(SeatFlow flow) {
			int index = index(flow.key);
			flow.sibling = this.table[index];
			this.table[index] = flow;
		}

		void remove(SeatFlow flow) {
			this.size--;
			int index = index(flow.key);
			SeatFlow before = Objects.requireNonNull(this.table[index]);
			if (before == flow) {
				this.table[index] = flow.sibling;
				return;
			}
			while (before.sibling != flow) {
				before = Objects.requireNonNull(before.sibling);
			}
			before.sibling = flow.sibling;
		}

		int size() {
			return this.size;
		}

		private void grow() {
			@Nullable SeatFlow[] before = this.table;
			this.table = new SeatFlow[2 * before.length];
			for (SeatFlow first : before) {
				for (SeatFlow flow = first; flow != null;) {
					SeatFlow next = flow.sibling;
					add(flow);
					flow = next;
				}
			}
		}

		private int index(String key) {
			int hash = KeyedHash.of(key);
			return (hash ^ (hash >>> 16)) & (this.table.length - 1);
		}

	}

}
