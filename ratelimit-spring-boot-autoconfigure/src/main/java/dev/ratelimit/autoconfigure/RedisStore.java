package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.denial.DenialRememberingLimitStore;
import dev.ratelimit.store.guard.GuardSettings;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseSettings;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisFleet;
import dev.ratelimit.store.redis.RedisLimitStore;
import dev.ratelimit.store.slot.SlottedLimitStore;

/**
 * The store in Redis with the stages before it: denials, then leases, then across slots,
 * then guarded, then Redis.
 */
final class RedisStore implements AutoCloseable {

	/** Most buckets that are counted locally while Redis is away. */
	private static final long MOST_LOCAL_BUCKETS = 100_000;

	/** The self-test asks whether scripts run, not how fast. */
	private static final Duration SCRIPT_PATIENCE = Duration.ofSeconds(1);

	private final RateLimitProperties properties;

	private final GuardSettings guard;

	private final RuleFailures failures = new RuleFailures();

	private final RedisLimitStore redis;

	private final RedisFleet fleet;

	private final Stages stages;

	private volatile Optional<WarmUp> warmUp = Optional.empty();

	RedisStore(RedisConnector connector, String prefix, RateLimitProperties properties, WallClock clock,
			GuardSettings guard, Consumer<StoreStateEvent> events) {
		this.properties = properties;
		this.guard = guard;
		RedisProperties settings = properties.redis();
		this.redis = new RedisLimitStore(connector, prefix, settings.hashTag(), settings.clock(), clock.source(),
				this.failures);
		this.fleet = new RedisFleet(connector, prefix, settings.clock(), clock.source(),
				properties.local().minInstances());
		this.stages = stages(guard, this.fleet, events);
	}

	private Stages stages(GuardSettings guard, IntSupplier instances, Consumer<StoreStateEvent> events) {
		GuardedLimitStore guarded = new GuardedLimitStore(this.redis, this.redis,
				new MemoryLimitStore(localBuckets(this.properties), new MonotonicClock()), instances, guard, events);
		LeasedLimitStore leased = new LeasedLimitStore(acrossSlots(guarded), settings(this.properties));
		return new Stages(guarded, leased, denials(leased, this.properties.denialMemory()));
	}

	private LimitStore acrossSlots(LimitStore perSlot) {
		return this.redis.slots().<LimitStore>map((slots) -> new SlottedLimitStore(perSlot, slots)).orElse(perSlot);
	}

	static long localBuckets(RateLimitProperties properties) {
		return Math.min(properties.memory().maxBuckets(), MOST_LOCAL_BUCKETS);
	}

	static LimitStore denials(LimitStore store, Duration longest) {
		return (longest.toMillis() >= 1) ? new DenialRememberingLimitStore(store, longest) : store;
	}

	private static LeaseSettings settings(RateLimitProperties properties) {
		RateLimitProperties.Leases leases = properties.leases();
		return new LeaseSettings(leases.length(), leases.ahead(), leases.hotRate(), leases.maxBuckets(),
				properties.deadline());
	}

	/**
	 * Begin to warm up the path to Redis, through stages apart from those in use: a slow
	 * call leaves no trace in breaker, status and whatever else they remember.
	 */
	void startWarmUp() {
		if (!this.properties.warmUp().isZero()) {
			GuardSettings patient = new GuardSettings(this.guard.probeInterval(), this.properties.warmUp(),
					this.guard.maxInFlight());
			Stages apart = stages(patient, () -> 1, (event) -> {
			});
			this.warmUp = Optional.of(new WarmUp(apart, this.properties));
		}
	}

	// The warm-up that has begun; none where Redis did not answer.
	Optional<WarmUp> warmUp() {
		return this.warmUp;
	}

	Optional<StoreException> start(Duration patience) {
		Optional<StoreException> failure = this.stages.guarded().start(patience);
		this.fleet.join();
		return failure;
	}

	void check(ScriptUse use) {
		this.redis.check(use, SCRIPT_PATIENCE);
	}

	RuleFailures failures() {
		return this.failures;
	}

	LimitStore store() {
		return this.stages.store();
	}

	LeaseStatus leases() {
		return this.stages.leased().status();
	}

	Map<String, Long> clockSkewMillis() {
		return this.redis.clockSkewMillis();
	}

	StoreStatus status() {
		return this.stages.guarded().status();
	}

	@Override
	public void close() {
		this.warmUp.ifPresent(WarmUp::close);
		this.stages.leased().close();
		this.fleet.close();
		this.stages.guarded().close();
	}

	/**
	 * The stages before Redis.
	 *
	 * @param guarded the guard
	 * @param leased the leases
	 * @param store the first stage
	 */
	record Stages(GuardedLimitStore guarded, LeasedLimitStore leased, LimitStore store) implements AutoCloseable {

		@Override
		public void close() {
			this.leased.close();
			this.guarded.close();
		}

	}

}
