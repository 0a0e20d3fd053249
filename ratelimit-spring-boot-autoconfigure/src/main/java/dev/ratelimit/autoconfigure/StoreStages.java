package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.base.WallClock;
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
import dev.ratelimit.store.redis.RedisLimitStore;
import dev.ratelimit.store.slot.SlottedLimitStore;

/**
 * Puts the stages before each kind of store together: <pre>
 * Denials -> Leases -> Held slots -> Slots of a cluster -> Guard -> Redis
 * Denials -> Held slots -> Guard -> a store of the application's own
 * Held slots -> Memory
 * </pre> A stage that is not configured, or that the store does not need, is left out.
 */
final class StoreStages {

	/** Most buckets that are counted locally while the store is away. */
	private static final long MOST_LOCAL_BUCKETS = 100_000;

	/** Maximum number of concurrent requests of a candidate. */
	private static final int MAX_OF_CANDIDATE = 64;

	private final RateLimitProperties properties;

	private final GuardSettings settings;

	private final Consumer<StoreStateEvent> events;

	private final Time time;

	private final Upkeep upkeep;

	StoreStages(RateLimitProperties properties, GuardSettings settings, Consumer<StoreStateEvent> events, Time time,
			Upkeep upkeep) {
		this.properties = properties;
		this.settings = settings;
		this.events = events;
		this.time = time;
		this.upkeep = upkeep;
	}

	/**
	 * The stages before Redis.
	 * @param redis the store
	 * @param instances how many instances share the limits
	 * @param maxHoldMillis the longest time that a slot is held, by the id of the rule
	 * @return the stages
	 */
	Chain redis(RedisLimitStore redis, IntSupplier instances, ToLongFunction<String> maxHoldMillis) {
		GuardedLimitStore guard = guard(redis, redis, instances);
		HeldLimitStore slots = new HeldLimitStore(slots(redis.slots(), guard), maxHoldMillis, this.time, this.upkeep);
		LeasedLimitStore leases = leases(slots);
		return new Chain(denials(leases), Optional.of(leases), slots, guard);
	}

	/**
	 * The stages before Redis for what a candidate charges.
	 * @param redis the store
	 * @param guard knows how the nodes are doing
	 * @return the stages
	 */
	StoreStage candidate(RedisLimitStore redis, GuardedLimitStore guard) {
		return slots(redis.slots(), new SpareLimitStore(redis, guard, MAX_OF_CANDIDATE));
	}

	/**
	 * The stages before a store of the application's own.
	 * @param custom the store
	 * @param nodes what of it fails on its own
	 * @param maxHoldMillis the longest time that a slot is held, by the id of the rule
	 * @return the stages
	 */
	Chain custom(StoreStage custom, StoreNodes nodes, ToLongFunction<String> maxHoldMillis) {
		GuardedLimitStore guard = guard(custom, nodes, () -> this.properties.local().minInstances());
		HeldLimitStore slots = new HeldLimitStore(guard, maxHoldMillis, this.time, this.upkeep);
		return new Chain(denials(slots), Optional.empty(), slots, guard);
	}

	/**
	 * The store in memory, which neither waits nor fails.
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

	private GuardedLimitStore guard(StoreStage store, StoreNodes nodes, IntSupplier instances) {
		long localBuckets = Math.min(this.properties.memory().maxBuckets(), MOST_LOCAL_BUCKETS);
		MemoryLimitStore local = new MemoryLimitStore(localBuckets, new MonotonicClock(this.time), this.time);
		return new GuardedLimitStore(store, nodes, local, instances, this.settings, this.events, this.time,
				this.upkeep);
	}

	/**
	 * Stages before a store.
	 *
	 * @param first the first one, which is called
	 * @param leases the leases, if the store leases
	 * @param slots the slots that this instance holds
	 * @param guard the guard
	 */
	record Chain(StoreStage first, Optional<LeasedLimitStore> leases, HeldLimitStore slots,
			GuardedLimitStore guard) implements AutoCloseable {

		@Override
		public void close() {
			this.leases.ifPresent(LeasedLimitStore::close);
			this.slots.close();
			this.guard.close();
		}

	}

	/**
	 * Milliseconds since the arithmetic's epoch, by a monotonic clock.
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
