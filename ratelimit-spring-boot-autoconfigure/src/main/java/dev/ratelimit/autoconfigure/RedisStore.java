package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.LimitStore;
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

	private final RedisLimitStore redis;

	private final RedisFleet fleet;

	private final GuardedLimitStore guarded;

	private final LeasedLimitStore store;

	RedisStore(RedisConnector connector, String prefix, RateLimitProperties properties, WallClock clock,
			int maxInFlight, Consumer<StoreStateEvent> events) {
		RedisProperties settings = properties.redis();
		this.redis = new RedisLimitStore(connector, prefix, settings.hashTag(), settings.clock(), clock.source());
		this.fleet = new RedisFleet(connector, prefix, settings.clock(), clock.source(),
				properties.local().minInstances());
		long buckets = Math.min(properties.memory().maxBuckets(), MOST_LOCAL_BUCKETS);
		this.guarded = new GuardedLimitStore(this.redis, this.redis,
				new MemoryLimitStore(buckets, new MonotonicClock()), this.fleet,
				new GuardSettings(properties.circuit().probeInterval(), properties.deadline(), maxInFlight), events);
		this.store = new LeasedLimitStore(this.redis.acrossSlots(this.guarded), settings(properties));
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
		return this.store.status();
	}

	Map<String, Long> clockSkewMillis() {
		return this.redis.clockSkewMillis();
	}

	StoreStatus status() {
		return this.guarded.status();
	}

	@Override
	public void close() {
		this.store.close();
		this.fleet.close();
		this.guarded.close();
	}

}
