package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;

/**
 * Families of buckets of nobody's, on which servers are tested.
 */
final class TestFamilies {

	/** Has room for every test that there may be at a time. */
	static final BucketFamily ROOMY = new BucketFamily(new Policy("self-test", "self-test",
			new Limit(Algorithms.DEFAULT, 1000, Duration.ofSeconds(1), 1000), Policy.Unit.REQUESTS, true),
			Algorithms.find(Algorithms.DEFAULT).orElseThrow());

	/** No rule has this id. */
	private static final String SCOPE = "-self-test";

	private TestFamilies() {
	}

	/**
	 * A family whose buckets have room for one request.
	 * @param algorithm the algorithm
	 * @param seconds its period, another one for each, since limits of one period would
	 * be one bucket
	 * @return the family
	 */
	static BucketFamily tight(String algorithm, int seconds) {
		Limit limit = new Limit(algorithm, 1, Duration.ofSeconds(seconds), 1);
		Policy policy = new Policy(SCOPE, SCOPE, limit, Policy.Unit.REQUESTS, false);
		return new BucketFamily(policy, Algorithms.of(limit), SCOPE);
	}

	static boolean hasSlots(Bucket bucket) {
		return Algorithms.of(bucket.family().policy().limit().orElseThrow()).countsConcurrentRequests();
	}

}
