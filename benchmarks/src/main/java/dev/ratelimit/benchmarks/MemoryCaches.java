package dev.ratelimit.benchmarks;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The caches of those who keep their buckets in Caffeine: bounded, as they must be.
 */
final class MemoryCaches {

	static final int MOST = 2_000_000;

	private MemoryCaches() {
	}

	static <V> Cache<String, V> create() {
		return Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(Duration.ofHours(1)).build();
	}

}
