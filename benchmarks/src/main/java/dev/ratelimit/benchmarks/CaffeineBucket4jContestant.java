package dev.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.bucket4j.Bucket;

/**
 * The peer bucket4j in memory, in a Caffeine cache. Each decision also returns the
 * remaining tokens.
 */
final class CaffeineBucket4jContestant implements MemoryContestant {

	private final Cache<String, Bucket> buckets = MemoryCaches.create();

	private final Limit limit;

	CaffeineBucket4jContestant(Setup setup) {
		this.limit = setup.limit();
	}

	@Override
	public boolean decideNow(String key) {
		return this.buckets.get(key, this::newBucket).tryConsumeAndReturnRemaining(1).isConsumed();
	}

	private Bucket newBucket(String key) {
		return Bucket.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(this.limit.capacity())
				.refillGreedy(this.limit.capacity(), this.limit.period()))
			.build();
	}

}
