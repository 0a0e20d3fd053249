package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.GuardSettings;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Our whole limiter on Redis: rule, guard with deadline and breaker, store.
 */
final class LimiterContestant implements Contestant {

	private static final int MOST_CALLERS = 10_000;

	private final RedisConnector connector;

	private final Upkeep upkeep = new Upkeep();

	private final GuardedLimitStore store;

	private final RateLimiter limiter;

	LimiterContestant(RedisAddress redis, Limit limit) {
		this.connector = OurRedis.connect(redis);
		RedisLimitStore unguarded = new RedisLimitStore(this.connector, "rl:benchmark");
		this.store = new GuardedLimitStore(unguarded, unguarded, new MemoryLimitStore(1, System::currentTimeMillis),
				() -> 1, new GuardSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), MOST_CALLERS), (event) -> {
				}, Time.SYSTEM, this.upkeep);
		this.limiter = OurRedis.engine(this.store, OurRedis.limit(limit));
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.limiter.acquire(OurRedis.RULE, key).toFuture().thenApply(LimiterContestant::isAllowed);
	}

	private static boolean isAllowed(@Nullable Decision decision) {
		return decision != null && decision.allowed();
	}

	@Override
	public void close() {
		this.store.close();
		this.upkeep.close();
		this.connector.close();
	}

}
