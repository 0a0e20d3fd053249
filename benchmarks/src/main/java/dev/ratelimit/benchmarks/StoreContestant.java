package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;

/**
 * Our store in Redis, without anything before it.
 */
final class StoreContestant implements Contestant {

	private final RedisConnector connector;

	private final RedisLimitStore store;

	private final BucketFamily family;

	StoreContestant(RedisAddress redis, Limit limit) {
		this.connector = OurRedis.connect(redis);
		this.store = new RedisLimitStore(this.connector, "rl:benchmark");
		this.family = new BucketFamily(OurRedis.policy(OurRedis.limit(limit)),
				Algorithms.find(Algorithms.DEFAULT).orElseThrow());
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		Charge charge = new Charge(new Bucket(this.family, key), 1, FailurePolicy.OPEN, false, false);
		return this.store.acquire(new Demand(List.of(charge), Optional.empty(), Long.MAX_VALUE))
			.thenApply(Answer::admitted);
	}

	@Override
	public void close() {
		this.connector.close();
	}

}
