package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.lease.SimulatedLeases;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;

/**
 * Simulates three regions with several instances each, with a simulated network and
 * simulated time. The production classes decide the reports and leases of instances. The
 * store of each region is a Redis, or an in-memory store with the same calculations.
 */
final class SimulatedRegions {

	static final int REGIONS = 3;

	private static final int INSTANCES = 4;

	/** The delay in one direction, in milliseconds. */
	private static final int[][] WAYS = { { 0, 45, 70 }, { 45, 0, 75 }, { 70, 75, 0 } };

	/** The maximum round trip plus half of it, in milliseconds. */
	static final long MAX_MILLIS = 225;

	private static final int SWEEP_MILLIS = 250;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static final long START_MILLIS = 60_000_000_000L;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::number));

	private final Network network;

	private final Charge charge;

	private final Level truth;

	private final Level fast;

	private final Level exact;

	private final List<Level> alone = new ArrayList<>();

	/** The charges of the store of each region. */
	private final List<List<Charged>> charged = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

	private final List<StoreStage> stores = new ArrayList<>();

	private final List<List<Instance>> instances = new ArrayList<>();

	private final Random random;

	private long numbers;

	private long nowMillis;

	private long requests;

	private long allowedByExact;

	private long allowedInAll;

	private long neededNot;

	/**
	 * Create regions that share a limit.
	 * @param limit the limit, a token bucket
	 * @param interval the interval of reports
	 * @param network the connections that are cut, by time
	 * @param random determines the times of reports and requests
	 */
	SimulatedRegions(Limit limit, Duration interval, Network network, Random random) {
		this(limit, Consistency.STRICT, interval, network, random, List.of(0L, 0L, 0L), inMemory());
	}

	/**
	 * Create regions that share a limit.
	 * @param limit the limit, a token bucket
	 * @param consistency whether instances lease units
	 * @param interval the interval of reports
	 * @param network the connections that are cut, by time
	 * @param random determines the times of reports and requests
	 * @param skewsMillis the number of milliseconds by which the clock of each store is
	 * ahead
	 * @param homes creates the store of each region with a clock
	 */
	SimulatedRegions(Limit limit, Consistency consistency, Duration interval, Network network, Random random,
			List<Long> skewsMillis, List<Function<LongSupplier, StoreStage>> homes) {
		this.network = network;
		this.random = random;
		this.charge = Demands.charge(Demands.family("shared", limit).reported(), "ann", 1).with(consistency);
		double perMilli = (double) limit.quantity() / limit.period().toMillis();
		this.truth = new Level(limit.burst(), perMilli);
		this.exact = new Level(limit.burst(), perMilli);
		this.fast = new Level(limit.burst(), perMilli * REGIONS / 2);
		for (int i = 0; i < REGIONS; i++) {
			this.alone.add(new Level(limit.burst(), perMilli));
			long skewMillis = skewsMillis.get(i);
			this.stores.add(homes.get(i).apply(() -> START_MILLIS + this.nowMillis + skewMillis));
		}
		for (int i = 0; i < REGIONS; i++) {
			List<Instance> ofRegion = new ArrayList<>();
			for (int k = 0; k < INSTANCES; k++) {
				RegionalLimitStore regional = new RegionalLimitStore(new Home(i), peers(i), interval, Guards.NO_UPKEEP,
						this::nanos);
				Instance instance = new Instance(regional, SimulatedLeases.of(regional, this::nanos));
				ofRegion.add(instance);
				at((long) (random.nextDouble() * interval.toMillis()), () -> report(regional, interval));
				at(random.nextInt(SWEEP_MILLIS), () -> sweep(instance));
			}
			this.instances.add(ofRegion);
		}
	}

	/**
	 * Return factories of in-memory stores.
	 * @return one factory for each region
	 */
	static List<Function<LongSupplier, StoreStage>> inMemory() {
		return Collections.nCopies(REGIONS, (clock) -> new MemoryLimitStore(1_000, clock, () -> 0));
	}

	private List<PeerRegion> peers(int from) {
		List<PeerRegion> peers = new ArrayList<>();
		for (int to = 0; to < REGIONS; to++) {
			if (to != from) {
				Far far = new Far(from, to);
				peers.add(new PeerRegion("region-" + to, far, far, TIMEOUT, this::nanos));
			}
		}
		return peers;
	}

	private void report(RegionalLimitStore instance, Duration interval) {
		instance.report();
		at(interval.toMillis(), () -> report(instance, interval));
	}

	private void sweep(Instance instance) {
		instance.leases().sweep().run();
		at(SWEEP_MILLIS, () -> sweep(instance));
	}

	private long nanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.nowMillis);
	}

	private void at(long inMillis, Runnable action) {
		this.events.add(new Event(this.nowMillis + inMillis, this.numbers++, action));
	}

	/**
	 * Simulate requests and all their effects.
	 * @param arrivals the requests, ordered by time
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
		Instance instance = this.instances.get(region).get(this.random.nextInt(INSTANCES));
		boolean fitted = this.truth.fits(this.nowMillis);
		if (instance.leases().store().acquire(Demands.of(this.charge)).join().allowed()) {
			this.allowedInAll++;
			this.truth.take(this.nowMillis);
			this.fast.take(this.nowMillis);
			this.alone.get(region).take(this.nowMillis);
		}
		else if (fitted) {
			this.neededNot++;
		}
	}

	/**
	 * Return the highest level of one exact bucket that is charged with all allowed
	 * requests, relative to the capacity. The value is 1 if the limit is never exceeded.
	 */
	double peak() {
		return this.truth.highest / this.truth.capacity;
	}

	/**
	 * Return the same level of a bucket that refills at half the total rate of all
	 * regions.
	 */
	double fastPeak() {
		return this.fast.highest / this.fast.capacity;
	}

	/**
	 * Return the highest level of an exact bucket for each region that is charged with
	 * the allowed requests of the region.
	 */
	double excessAlone() {
		return this.alone.stream().mapToDouble((level) -> level.highest / level.capacity).max().orElseThrow();
	}

	/** Return the ratio of the allowed requests to those that one exact bucket allows. */
	double use() {
		return (double) this.allowedInAll / this.allowedByExact;
	}

	/**
	 * Return the share of requests that were rejected although one exact bucket had room.
	 */
	double needless() {
		return (double) this.neededNot / this.requests;
	}

	/**
	 * Return the maximum number of units that the store of one region charged within a
	 * time, including leases.
	 * @param millis the time in milliseconds
	 * @return the number of units
	 */
	long mostWithin(long millis) {
		long most = 0;
		for (List<Charged> charges : this.charged) {
			int first = 0;
			long units = 0;
			for (Charged charge : charges) {
				units += charge.units();
				while (charge.atMillis() - charges.get(first).atMillis() > millis) {
					units -= charges.get(first++).units();
				}
				most = Math.max(most, units);
			}
		}
		return most;
	}

	long lost() {
		return this.instances.stream()
			.flatMap(List::stream)
			.flatMap((instance) -> instance.regional().peers().stream())
			.mapToLong(PeerRegion::lostUnits)
			.sum();
	}

	/**
	 * A request.
	 *
	 * @param atMillis the time of arrival
	 * @param region the region where it arrives
	 */
	record Arrival(long atMillis, int region) {

	}

	/**
	 * The connections that are cut.
	 */
	interface Network {

		/** No connection is cut. */
		Network WHOLE = (one, other, atMillis) -> false;

		boolean isCut(int one, int other, long atMillis);

	}

	private record Event(long atMillis, long number, Runnable action) {

	}

	/**
	 * A token bucket in floating point that tracks its deficit.
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
	 * An instance of a region.
	 *
	 * @param regional reports the charges of the store of the region
	 * @param leases the leases that requests use
	 */
	private record Instance(RegionalLimitStore regional, SimulatedLeases leases) {
	}

	private record Charged(long atMillis, long units) {
	}

	/**
	 * The store of a region as used by its instances.
	 */
	private final class Home implements StoreStage {

		private final int region;

		Home(int region) {
			this.region = region;
		}

		private StoreStage store() {
			return SimulatedRegions.this.stores.get(this.region);
		}

		@Override
		public String name() {
			return store().name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			AcquireResult result = store().acquire(request).join().from(Source.REMOTE);
			long units = ((result.taken(0)) ? request.charges().get(0).cost() : 0) + result.charge(0).leased();
			if (units > 0) {
				SimulatedRegions.this.charged.get(this.region).add(new Charged(SimulatedRegions.this.nowMillis, units));
			}
			return CompletableFuture.completedFuture(result);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return done(store().settle(settlements));
		}

		@Override
		public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
			return done(store().returnLease(unspent));
		}

		@Override
		public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
			return done(store().renew(held));
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return done(store().reset(buckets));
		}

		// The simulated time does not advance during the call.
		private static <T> CompletableFuture<T> done(CompletableFuture<T> call) {
			return CompletableFuture.completedFuture(call.join());
		}

	}

	/**
	 * The store of another region. Calls and replies are delayed by the network. A call
	 * or reply is lost if the connection is cut when it is sent.
	 */
	private final class Far implements StoreStage, StoreNodes {

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
		public String nodeOf(Bucket bucket) {
			return name();
		}

		@Override
		public Set<String> nodes() {
			return Set.of(name());
		}

		@Override
		public void check(String node, Duration timeout) {
			throw new UnsupportedOperationException(node);
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
