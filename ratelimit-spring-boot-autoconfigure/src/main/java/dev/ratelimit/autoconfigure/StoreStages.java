package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.denial.DenialRememberingLimitStore;
import dev.ratelimit.store.guard.GuardSettings;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.SpareLimitStore;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.lease.LeaseSettings;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStores;
import dev.ratelimit.store.redis.RedisLimitStore;
import dev.ratelimit.store.region.PeerRegion;
import dev.ratelimit.store.region.RegionalLimitStore;
import dev.ratelimit.store.route.RoutedLimitStore;
import dev.ratelimit.store.route.StoreRoute;
import dev.ratelimit.store.slot.SlottedLimitStore;

/**
 * Creates the chains of stages before each kind of store: <pre>
 * Denials -> Leases -> Regions -> Held slots -> Routes -> Slots of a cluster -> Guard -> Redis
 *                                                      -> Slots of all stores -> Guard -> Redis
 *                                                                             -> Guard -> another Redis
 *                                                                             -> Memory
 * Denials -> Held slots -> Routes -> Guard -> a store of the application's own
 *                                 -> Memory
 * Held slots -> Memory
 * </pre> A request that only uses the default store takes the first path. Stages that are
 * not configured, or that the store does not need, are omitted.
 */
final class StoreStages {

	/**
	 * Maximum number of buckets that are counted locally while the store is unavailable.
	 */
	private static final long MAX_LOCAL_BUCKETS = 100_000;

	/** Longer than the usual deadline, because other regions may be distant. */
	private static final Duration PEER_TIMEOUT = Duration.ofSeconds(1);

	/** Maximum number of concurrent requests of a candidate. */
	private static final int MAX_OF_CANDIDATE = 64;

	private final RateLimitProperties properties;

	private final GuardSettings settings;

	private final Consumer<StoreStateEvent> events;

	private final Time time;

	private final Upkeep upkeep;

	/** The stores of the stages that count in memory. */
	private final List<MemoryLimitStore> memory = new ArrayList<>();

	StoreStages(RateLimitProperties properties, GuardSettings settings, Consumer<StoreStateEvent> events, Time time,
			Upkeep upkeep) {
		this.properties = properties;
		this.settings = settings;
		this.events = events;
		this.time = time;
		this.upkeep = upkeep;
	}

	/**
	 * Create the stages before Redis.
	 * @param redis the default store
	 * @param others the other stores by name
	 * @param peers the stores of other regions by name, which receive reports of charges
	 * @param instances the number of instances that share the limits
	 * @param maxHoldMillis the maximum time that a slot is held, by the id of the rule
	 * @return the stages
	 */
	Chain redis(RedisLimitStore redis, Map<String, RedisLimitStore> others, Map<String, RedisLimitStore> peers,
			IntSupplier instances, ToLongFunction<String> maxHoldMillis) {
		GuardedLimitStore guard = guard(redis, redis, instances, this.settings);
		Map<String, GuardedLimitStore> guards = new LinkedHashMap<>();
		others.forEach((name, store) -> guards.put(name, guard(store, store, instances, settings(name))));
		StoreStage routed = routed(guard, redis.slots(), guards, others);
		HeldLimitStore slots = new HeldLimitStore(routed, maxHoldMillis, this.time, this.upkeep);
		Optional<RegionalLimitStore> regions = regions(slots, peers);
		LeasedLimitStore leases = leases(regions.<StoreStage>map(Function.identity()).orElse(slots));
		return new Chain(denials(leases), Optional.of(leases), slots, guard, guards, regions,
				new MemoryStores(this.memory));
	}

	private Optional<RegionalLimitStore> regions(HeldLimitStore next, Map<String, RedisLimitStore> peers) {
		List<PeerRegion> regions = new ArrayList<>();
		peers.forEach((name, store) -> regions
			.add(new PeerRegion(name, slots(store.slots(), store), store, timeout(name), this.time)));
		return (regions.isEmpty()) ? Optional.empty() : Optional
			.of(new RegionalLimitStore(next, regions, this.properties.regions().interval(), this.upkeep, this.time));
	}

	private Duration timeout(String store) {
		Duration deadline = settings(store).timeout();
		return (deadline.compareTo(PEER_TIMEOUT) > 0) ? deadline : PEER_TIMEOUT;
	}

	private GuardSettings settings(String store) {
		Duration beyond = Duration.ofNanos(this.properties.deadlines().beyondNanos(store));
		return new GuardSettings(this.settings.probeInterval(), this.settings.timeout().plus(beyond),
				this.settings.maxInFlight());
	}

	/**
	 * Create the stages before Redis for the charges of a candidate.
	 * @param redis the default store
	 * @param others the other stores by name
	 * @param chain the active stages, whose guards have the states of the nodes
	 * @return the stages
	 */
	StoreStage candidate(RedisLimitStore redis, Map<String, RedisLimitStore> others, Chain chain) {
		Map<String, StoreStage> spare = new LinkedHashMap<>();
		chain.others()
			.forEach((name, guard) -> spare.put(name,
					new SpareLimitStore(Objects.requireNonNull(others.get(name)), guard, MAX_OF_CANDIDATE)));
		return routed(new SpareLimitStore(redis, chain.guard(), MAX_OF_CANDIDATE), redis.slots(), spare, others);
	}

	private StoreStage routed(StoreStage usual, Optional<BucketSlots> slots, Map<String, ? extends StoreStage> stages,
			Map<String, RedisLimitStore> others) {
		List<StoreRoute> routes = new ArrayList<>();
		routes.add(StoreRoute.called(LimitSet.DEFAULT_STORE, usual, slots, 0));
		routes.add(StoreRoute.local(LimitSet.LOCAL_STORE, counted(memory(this.properties, this.time))));
		stages.forEach((name, stage) -> routes.add(StoreRoute.called(name, stage,
				Objects.requireNonNull(others.get(name)).slots(), this.properties.deadlines().beyondNanos(name))));
		return new RoutedLimitStore(slots(slots, usual), routes,
				(perSlot, all) -> new SlottedLimitStore(perSlot, all, this.time));
	}

	/**
	 * Create the stages before a custom store of the application.
	 * @param custom the store
	 * @param nodes the nodes of the store, which fail independently
	 * @param maxHoldMillis the maximum time that a slot is held, by the id of the rule
	 * @return the stages
	 */
	Chain custom(StoreStage custom, StoreNodes nodes, ToLongFunction<String> maxHoldMillis) {
		GuardedLimitStore guard = guard(custom, nodes, () -> this.properties.local().minInstances(), this.settings);
		HeldLimitStore slots = new HeldLimitStore(routed(guard, Optional.empty(), Map.of(), Map.of()), maxHoldMillis,
				this.time, this.upkeep);
		return new Chain(denials(slots), Optional.empty(), slots, guard, Map.of(), Optional.empty(),
				new MemoryStores(this.memory));
	}

	/**
	 * Create an in-memory store, which neither waits nor fails.
	 * @param properties the properties
	 * @param time the time
	 * @return the store
	 */
	static MemoryLimitStore memory(RateLimitProperties properties, Time time) {
		return new MemoryLimitStore(properties.memory().maxBuckets(), new MonotonicClock(time), time);
	}

	private StoreStage denials(StoreStage next) {
		Duration longest = this.properties.denialMemory();
		return (longest.toMillis() >= 1) ? new DenialRememberingLimitStore(next, longest, this.time) : next;
	}

	private LeasedLimitStore leases(StoreStage next) {
		RateLimitProperties.Leases leases = this.properties.leases();
		return new LeasedLimitStore(next, new LeaseSettings(leases.length(), leases.ahead(), leases.hotRate(),
				leases.maxBuckets(), this.properties.deadline()), this.time, this.upkeep);
	}

	private StoreStage slots(Optional<BucketSlots> slots, StoreStage next) {
		return slots.<StoreStage>map((known) -> new SlottedLimitStore(next, known, this.time)).orElse(next);
	}

	private GuardedLimitStore guard(StoreStage store, StoreNodes nodes, IntSupplier instances, GuardSettings guarded) {
		long localBuckets = Math.min(this.properties.memory().maxBuckets(), MAX_LOCAL_BUCKETS);
		MemoryLimitStore local = counted(new MemoryLimitStore(localBuckets, new MonotonicClock(this.time), this.time));
		return new GuardedLimitStore(store, nodes, local, instances, guarded, this.events, this.time, this.upkeep);
	}

	private MemoryLimitStore counted(MemoryLimitStore store) {
		this.memory.add(store);
		return store;
	}

	/**
	 * Stages before a store.
	 *
	 * @param first the first stage, which is called
	 * @param leases the stage that leases units, if the store supports leases
	 * @param slots the stage of the slots that this instance holds
	 * @param guard the guard of the default store
	 * @param others the guards of other stores, by name
	 * @param regions the stage that reports to other regions, if there are any
	 * @param memory the stores of the stages that count in memory
	 */
	record Chain(StoreStage first, Optional<LeasedLimitStore> leases, HeldLimitStore slots, GuardedLimitStore guard,
			Map<String, GuardedLimitStore> others, Optional<RegionalLimitStore> regions,
			MemoryStores memory) implements AutoCloseable {

		@Override
		public void close() {
			this.leases.ifPresent(LeasedLimitStore::close);
			this.regions.ifPresent(RegionalLimitStore::close);
			this.slots.close();
			this.guard.close();
			this.others.values().forEach(GuardedLimitStore::close);
		}

	}

	/**
	 * A monotonic clock that returns milliseconds since the epoch of
	 * {@link LimitCalculator}.
	 */
	static final class MonotonicClock implements LongSupplier {

		private final long startMillis = WallClock.system().source().millis()
				- TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS);

		private final Time time;

		private final long startNanos;

		MonotonicClock(Time time) {
			this.time = time;
			this.startNanos = time.nanos();
		}

		@Override
		public long getAsLong() {
			return this.startMillis + TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - this.startNanos);
		}

	}

}
