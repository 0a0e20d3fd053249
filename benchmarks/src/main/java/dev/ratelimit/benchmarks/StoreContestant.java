package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.JointKey;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisLimitStore;

/**
 * Our store in Redis, without anything before it.
 */
final class StoreContestant implements Contestant {

	private final RedisConnector connector;

	private final RedisLimitStore store;

	private final List<BucketFamily> families;

	StoreContestant(RedisAddress redis, List<dev.ratelimit.Limit> limits) {
		this.connector = OurRedis.connect(redis);
		this.store = new RedisLimitStore(this.connector, "rl:benchmark");
		this.families = JointKey.join(limits.stream().map(OurRedis::family).toList());
	}

	static StoreContestant tokenBucket(RedisAddress redis, Limit limit) {
		return new StoreContestant(redis, List.of(OurRedis.limit(limit)));
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.store.acquire(new AcquireRequest(charges(key), Optional.empty(), Long.MAX_VALUE))
			.thenApply(AcquireResult::admitted);
	}

	private List<Charge> charges(String key) {
		if (this.families.size() == 1) {
			return List.of(charge(this.families.get(0), key));
		}
		return this.families.stream().map((family) -> charge(family, key)).toList();
	}

	static Charge charge(BucketFamily family, String key) {
		return new Charge(new Bucket(family, key), 1, FailurePolicy.OPEN, false, false);
	}

	@Override
	public void close() {
		this.connector.close();
	}

}
