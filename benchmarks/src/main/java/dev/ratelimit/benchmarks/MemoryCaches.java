package dev.ratelimit.benchmarks;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Creates caches for contestants that keep their buckets in Caffeine. The caches are
 * bounded, because clients choose the keys.
 */
final class MemoryCaches {

	static final int MOST = 2_000_000;

	private MemoryCaches() {
	}

	static <V> Cache<String, V> create() {
		return Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(Duration.ofHours(1)).build();
	}

}
