package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.redis.RedisConnectionSettings;
import dev.ratelimit.store.redis.RedisConnector;
import io.lettuce.core.RedisURI;

/**
 * What both of our rows are made of.
 */
final class OurRedis {

	static final String RULE = "benchmark";

	private OurRedis() {
	}

	static RedisConnector connect(RedisAddress redis) {
		RedisConnector connector = new RedisConnector(
				RedisConnectionSettings.of(RedisURI.create(redis.host(), redis.port())));
		connector.connect();
		return connector;
	}

	static dev.ratelimit.Limit limit(Limit limit) {
		return new dev.ratelimit.Limit("token-bucket", limit.capacity(), limit.period(), limit.capacity());
	}

	/**
	 * A limit that admits all that a run asks for over many keys.
	 */
	static dev.ratelimit.Limit plenty(String algorithm, int seconds) {
		return new dev.ratelimit.Limit(algorithm, 9_000, Duration.ofSeconds(seconds), 9_000);
	}

	static Policy policy(dev.ratelimit.Limit limit) {
		return new Policy(RULE, RULE, limit, Policy.Unit.REQUESTS, false);
	}

	static BucketFamily family(dev.ratelimit.Limit limit) {
		return new BucketFamily(policy(limit), Algorithms.find(limit.algorithm()).orElseThrow());
	}

	/**
	 * The whole limiter, with a deadline that a busy machine does not miss.
	 */
	static RateLimitEngine engine(LimitStore store, dev.ratelimit.Limit limit) {
		RateLimitEngine engine = new RateLimitEngine(store, Duration.ofSeconds(5), "benchmark",
				IdempotencySettings.DEFAULT, List.of());
		Rule rule = Rule.builder(RULE)
			.key("user")
			.limits(limit.toString())
			.burst(limit.burst())
			.algorithm(limit.algorithm())
			.failure(FailurePolicy.CLOSED)
			.build();
		engine.editions().adopt(List.of(rule));
		return engine;
	}

}
