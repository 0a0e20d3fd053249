package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.LimitStore;
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

/**
 * The store in Redis with the stages before it: denials, then leases, then across slots,
 * then guarded, then Redis.
 */
final class RedisStore implements AutoCloseable {

	/** Most buckets that are counted locally while Redis is away. */
	private static final long MOST_LOCAL_BUCKETS = 100_000;

	private final RedisLimitStore redis;

	private final RedisFleet fleet;

	private final GuardedLimitStore guarded;

	private final LeasedLimitStore leased;

	private final LimitStore store;

	RedisStore(RedisConnector connector, String prefix, RateLimitProperties properties, WallClock clock,
			GuardSettings guard, Consumer<StoreStateEvent> events) {
		RateLimitProperties.Redis settings = properties.redis();
		this.redis = new RedisLimitStore(connector, prefix, settings.hashTag(), settings.clock(), clock.source());
		this.fleet = new RedisFleet(connector, prefix, settings.clock(), clock.source(),
				properties.local().minInstances());
		this.guarded = new GuardedLimitStore(this.redis, this.redis,
				new MemoryLimitStore(localBuckets(properties), new MonotonicClock()), this.fleet, guard, events);
		this.leased = new LeasedLimitStore(this.redis.acrossSlots(this.guarded), settings(properties));
		this.store = denials(this.leased, properties.denialMemory());
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

	Optional<StoreException> start(Duration patience) {
		Optional<StoreException> failure = this.guarded.start(patience);
		this.fleet.join();
		return failure;
	}

	LimitStore store() {
		return this.store;
	}

	LeaseStatus leases() {
		return this.leased.status();
	}

	Map<String, Long> clockSkewMillis() {
		return this.redis.clockSkewMillis();
	}

	StoreStatus status() {
		return this.guarded.status();
	}

	@Override
	public void close() {
		this.leased.close();
		this.fleet.close();
		this.guarded.close();
	}

}
