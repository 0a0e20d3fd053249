package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * Three regions with several instances each, on a simulated network and with simulated
 * time. What instances report is made by the production classes, and each region's store
 * is one in memory, whose arithmetic is that of Redis.
 */
final class SimulatedRegions {

	static final int REGIONS = 3;

	private static final int INSTANCES = 4;

	/** One way, in milliseconds. */
	private static final int[][] WAYS = { { 0, 45, 70 }, { 45, 0, 75 }, { 70, 75, 0 } };

	/** The longest round trip, and half of it. */
	static final long LONGEST_MILLIS = 225;

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final long START_MILLIS = 60_000_000_000L;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::number));

	private final Network network;

	private final BucketFamily family;

	private final Level truth;

	private final Level fast;

	private final Level exact;

	private final List<Level> alone = new ArrayList<>();

	private final List<List<Long>> allowed = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

	private final List<MemoryLimitStore> stores = new ArrayList<>();

	private final List<List<RegionalLimitStore>> instances = new ArrayList<>();

	private final Random random;

	private long numbers;

	private long nowMillis;

	private long requests;

	private long allowedByExact;

	private long allowedInAll;

	private long neededNot;

	/**
	 * Regions that share a limit.
	 * @param limit the limit, a token bucket
	 * @param interval how often charges are reported
	 * @param network which connections are cut when
	 * @param random spreads reports and requests
	 */
	SimulatedRegions(Limit limit, Duration interval, Network network, Random random) {
		this.network = network;
		this.random = random;
		this.family = Demands.family("shared", limit).reported();
		double perMilli = (double) limit.quantity() / limit.period().toMillis();
		this.truth = new Level(limit.burst(), perMilli);
		this.exact = new Level(limit.burst(), perMilli);
		this.fast = new Level(limit.burst(), perMilli * REGIONS / 2);
		for (int i = 0; i < REGIONS; i++) {
			this.alone.add(new Level(limit.burst(), perMilli));
			this.stores.add(new MemoryLimitStore(1_000, () -> START_MILLIS + this.nowMillis, this::nanos));
		}
		for (int i = 0; i < REGIONS; i++) {
			List<RegionalLimitStore> ofRegion = new ArrayList<>();
			for (int k = 0; k < INSTANCES; k++) {
				RegionalLimitStore instance = new RegionalLimitStore(new Home(this.stores.get(i)), peers(i));
				ofRegion.add(instance);
				at((long) (random.nextDouble() * interval.toMillis()), () -> report(instance, interval));
			}
			this.instances.add(ofRegion);
		}
	}

	private List<PeerRegion> peers(int from) {
		List<PeerRegion> peers = new ArrayList<>();
		for (int to = 0; to < REGIONS; to++) {
			if (to != from) {
				peers.add(new PeerRegion("region-" + to, new Far(from, to), PATIENCE, this::nanos));
			}
		}
		return peers;
	}

	private void report(RegionalLimitStore instance, Duration interval) {
		instance.report();
		at(interval.toMillis(), () -> report(instance, interval));
	}

	private long nanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.nowMillis);
	}

	private void at(long inMillis, Runnable action) {
		this.events.add(new Event(this.nowMillis + inMillis, this.numbers++, action));
	}

	/**
	 * Let requests arrive, and all that follows from them.
	 * @param arrivals the requests, in the order of time
	 */
	void run(List<Arrival> arrivals) {
		arrivals.forEach((arrival) -> at(arrival.atMillis() - this.nowMillis, () -> arrive(arrival.region())));
		long end = arrivals.get(arrivals.size() - 1).atMillis() + 2_000;
		while (!this.events.isEmpty() && this.events.peek().atMillis() <= end) {
			Event event = this.events.remove();
			this.nowMillis = event.atMillis();
			event.action().run();
		}
	}

	private void arrive(int region) {
		this.requests++;
		if (this.exact.fits(this.nowMillis)) {
			this.exact.take(this.nowMillis);
			this.allowedByExact++;
		}
		RegionalLimitStore instance = this.instances.get(region).get(this.random.nextInt(INSTANCES));
		boolean fitted = this.truth.fits(this.nowMillis);
		if (instance.acquire(Demands.of(Demands.charge(this.family, "ann", 1))).join().allowed()) {
			this.allowedInAll++;
			this.allowed.get(region).add(this.nowMillis);
			this.truth.take(this.nowMillis);
			this.fast.take(this.nowMillis);
			this.alone.get(region).take(this.nowMillis);
		}
		else if (fitted) {
			this.neededNot++;
		}
	}

	/**
	 * The highest level of one exact bucket that is charged with all that was allowed: by
	 * how much a window was exceeded, of the capacity. 1 if never.
	 */
	double peak() {
		return this.truth.highest / this.truth.capacity;
	}

	/**
	 * The same of a bucket that refills as fast as half the regions.
	 */
	double fastPeak() {
		return this.fast.highest / this.fast.capacity;
	}

	/**
	 * The highest level of an exact bucket for each region that is charged with what the
	 * region allowed.
	 */
	double excessAlone() {
		return this.alone.stream().mapToDouble((level) -> level.highest / level.capacity).max().orElseThrow();
	}

	/** What was allowed, of what one exact bucket allows. */
	double use() {
		return (double) this.allowedInAll / this.allowedByExact;
	}

	/** The share of requests that were rejected although one exact bucket had room. */
	double needless() {
		return (double) this.neededNot / this.requests;
	}

	/**
	 * Most units that one region has allowed within a time.
	 * @param millis the time
	 * @return units
	 */
	long mostWithin(long millis) {
		long most = 0;
		for (List<Long> times : this.allowed) {
			int first = 0;
			for (int i = 0; i < times.size(); i++) {
				while (times.get(i) - times.get(first) > millis) {
					first++;
				}
				most = Math.max(most, i - first + 1);
			}
		}
		return most;
	}

	long lost() {
		return this.instances.stream()
			.flatMap(List::stream)
			.flatMap((instance) -> instance.peers().stream())
			.mapToLong(PeerRegion::lostUnits)
			.sum();
	}

	/**
	 * What is left of the limit in a region.
	 */
	long remaining(int region) {
		return this.stores.get(region)
			.acquire(Demands.of(Demands.charge(this.family, "ann", 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	/**
	 * A request.
	 *
	 * @param atMillis when it arrives
	 * @param region where
	 */
	record Arrival(long atMillis, int region) {

	}

	/**
	 * Which connections are cut.
	 */
	interface Network {

		/** All connections work. */
		Network WHOLE = (one, other, atMillis) -> false;

		boolean isCut(int one, int other, long atMillis);

	}

	private record Event(long atMillis, long number, Runnable action) {

	}

	/**
	 * A token bucket in floating point, by its deficit.
	 */
	private static final class Level {

		private final double capacity;

		private final double perMilli;

		private double deficit;

		private double highest;

		private long atMillis;

		Level(double capacity, double perMilli) {
			this.capacity = capacity;
			this.perMilli = perMilli;
		}

		boolean fits(long nowMillis) {
			this.deficit = Math.max(0, this.deficit - (nowMillis - this.atMillis) * this.perMilli);
			this.atMillis = nowMillis;
			return this.deficit + 1 <= this.capacity + 1e-9;
		}

		void take(long nowMillis) {
			fits(nowMillis);
			this.deficit++;
			this.highest = Math.max(this.highest, this.deficit);
		}

	}

	/**
	 * The store of a region, as its instances see it.
	 *
	 * @param memory the store
	 */
	private record Home(MemoryLimitStore memory) implements StoreStage {

		@Override
		public String name() {
			return this.memory.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.memory.acquire(request).thenApply((result) -> result.from(Source.REMOTE));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.memory.settle(settlements);
		}

		@Override
		public CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
			return this.memory.renew(held);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

	/**
	 * The store of another region: each call takes its way there and back, and is lost
	 * where the connection is cut then.
	 */
	private final class Far implements StoreStage {

		private final int from;

		private final int to;

		Far(int from, int to) {
			this.from = from;
			this.to = to;
		}

		@Override
		public String name() {
			return "far";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return call(() -> SimulatedRegions.this.stores.get(this.to).acquire(request));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return call(() -> SimulatedRegions.this.stores.get(this.to).settle(settlements));
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return call(() -> SimulatedRegions.this.stores.get(this.to).reset(buckets));
		}

		private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> work) {
			CompletableFuture<T> reply = new CompletableFuture<>();
			if (isCut()) {
				return reply;
			}
			at(WAYS[this.from][this.to], () -> {
				T result = work.get().join();
				if (!isCut()) {
					at(WAYS[this.from][this.to], () -> reply.complete(result));
				}
			});
			return reply;
		}

		private boolean isCut() {
			return SimulatedRegions.this.network.isCut(this.from, this.to, SimulatedRegions.this.nowMillis);
		}

	}

}
