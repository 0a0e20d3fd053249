package dev.ratelimit.benchmarks;

import java.time.Duration;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;

/**
 * The peer Resilience4j: its registry contains a limiter for each key, and is not
 * bounded. Its limit is an int, so a higher limit is reduced to the maximum int.
 */
final class Resilience4jContestant implements MemoryContestant {

	private final RateLimiterRegistry limiters;

	Resilience4jContestant(Setup setup) {
		this.limiters = RateLimiterRegistry.of(RateLimiterConfig.custom()
			.limitForPeriod((int) Math.min(Integer.MAX_VALUE, setup.limit().capacity()))
			.limitRefreshPeriod(setup.limit().period())
			.timeoutDuration(Duration.ZERO)
			.build());
	}

	@Override
	public boolean decideNow(String key) {
		return this.limiters.rateLimiter(key).acquirePermission();
	}

}
