package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The peer Redisson, with its default connection pool. The rate of each key is set before
 * the measurement.
 */
final class RedissonContestant implements Contestant {

	private static final int AT_A_TIME = 1_000;

	private final RedissonClient client;

	private final Limit limit;

	RedissonContestant(Setup setup) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + setup.redis().host() + ":" + setup.redis().port());
		this.client = Redisson.create(config);
		this.limit = setup.limit();
	}

	@Override
	public void prepare(String[] keys) {
		for (int i = 0; i < keys.length; i += AT_A_TIME) {
			CompletableFuture
				.allOf(Stream.of(keys)
					.skip(i)
					.limit(AT_A_TIME)
					.map((key) -> limiter(key)
						.trySetRateAsync(RateType.OVERALL, this.limit.capacity(), this.limit.period())
						.toCompletableFuture())
					.toArray(CompletableFuture<?>[]::new))
				.join();
		}
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return limiter(key).tryAcquireAsync();
	}

	private RRateLimiter limiter(String key) {
		return this.client.getRateLimiter(key);
	}

	@Override
	public void close() {
		this.client.shutdown(0, Duration.ofSeconds(2).toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
	}

}
