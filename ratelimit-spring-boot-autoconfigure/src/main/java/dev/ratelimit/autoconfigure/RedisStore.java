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

/**
 * The store in Redis with the stages before it: leases, then across slots, then guarded,
 * then Redis.
 */
final class RedisStore implements AutoCloseable {

	/** Most buckets that are counted locally while Redis is away. */
	private static final long MOST_LOCAL_BUCKETS = 100_000;

	/** The self-test asks whether scripts run, not how fast. */
	private static final Duration SCRIPT_PATIENCE = Duration.ofSeconds(1);

	private final RateLimitProperties properties;

	private final int maxInFlight;

	private final RuleFailures failures = new RuleFailures();

	private final RedisLimitStore redis;

	private final RedisFleet fleet;

	private final Stages stages;

	private volatile Optional<WarmUp> warmUp = Optional.empty();

	RedisStore(RedisConnector connector, String prefix, RateLimitProperties properties, WallClock clock,
			int maxInFlight, Consumer<StoreStateEvent> events) {
		this.properties = properties;
		this.maxInFlight = maxInFlight;
		RateLimitProperties.Redis settings = properties.redis();
		this.redis = new RedisLimitStore(connector, prefix, settings.hashTag(), settings.clock(), clock.source(),
				this.failures);
		this.fleet = new RedisFleet(connector, prefix, settings.clock(), clock.source(),
				properties.local().minInstances());
		this.stages = stages(properties.deadline(), this.fleet, events);
	}

	private Stages stages(Duration patience, IntSupplier instances, Consumer<StoreStateEvent> events) {
		long buckets = Math.min(this.properties.memory().maxBuckets(), MOST_LOCAL_BUCKETS);
		GuardedLimitStore guarded = new GuardedLimitStore(this.redis, this.redis,
				new MemoryLimitStore(buckets, new MonotonicClock()), instances,
				new GuardSettings(this.properties.circuit().probeInterval(), patience, this.maxInFlight), events);
		return new Stages(guarded, new LeasedLimitStore(this.redis.acrossSlots(guarded), settings(this.properties)));
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
			Stages apart = stages(this.properties.warmUp(), () -> 1, (event) -> {
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
		return this.stages.store().status();
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
		this.stages.store().close();
		this.fleet.close();
		this.stages.guarded().close();
	}

	/**
	 * The stages before Redis.
	 *
	 * @param guarded the guard
	 * @param store the first stage
	 */
	record Stages(GuardedLimitStore guarded, LeasedLimitStore store) implements AutoCloseable {

		@Override
		public void close() {
			this.store.close();
			this.guarded.close();
		}

	}

}
