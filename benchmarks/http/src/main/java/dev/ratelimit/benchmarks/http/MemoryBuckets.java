package dev.ratelimit.benchmarks.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Buckets in a bounded cache. Each bucket is one number: the sum of the units that were
 * refilled since the epoch and of the units that the bucket lacks to be full.
 */
final class MemoryBuckets implements Buckets {

	private static final int MOST = 500_000;

	private final Cache<String, AtomicLong> buckets;

	private final long perMilli;

	private final long perToken;

	private final long capacity;

	MemoryBuckets(Numbers numbers) {
		this.buckets = Caffeine.newBuilder()
			.maximumSize(MOST)
			.expireAfterAccess(numbers.period().plus(Duration.ofSeconds(1)))
			.build();
		this.perMilli = numbers.unitsPerMilli();
		this.perToken = numbers.unitsPerToken();
		this.capacity = numbers.capacity();
	}

	@Override
	public CompletableFuture<Long> charge(String client) {
		return CompletableFuture.completedFuture(charge(this.buckets.get(client, (absent) -> new AtomicLong())));
	}

	private long charge(AtomicLong bucket) {
		long full = System.currentTimeMillis() * this.perMilli;
		while (true) {
			long before = bucket.get();
			long lacking = Math.max(0, before - full) + this.perToken;
			if (lacking > this.capacity) {
				return -lacking;
			}
			if (bucket.compareAndSet(before, full + lacking)) {
				return lacking;
			}
		}
	}

}
