package dev.ratelimit.benchmarks;

import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Cache;

/**
 * The least that limits many keys in memory: a bounded cache, and for each key the time
 * at which its bucket is full again, moved by compare-and-set. It answers with nothing
 * but yes or no.
 */
final class CaffeineFloorContestant implements MemoryContestant {

	private final Cache<String, AtomicLong> buckets = MemoryCaches.create();

	private final long nanosPerToken;

	private final long period;

	CaffeineFloorContestant(Setup setup) {
		this.period = setup.limit().period().toNanos();
		this.nanosPerToken = this.period / setup.limit().capacity();
	}

	@Override
	public boolean decideNow(String key) {
		long now = System.nanoTime();
		AtomicLong fullAt = this.buckets.get(key, (absent) -> new AtomicLong(now));
		while (true) {
			long before = fullAt.get();
			long after = Math.max(before, now) + this.nanosPerToken;
			if (after - now > this.period) {
				return false;
			}
			if (fullAt.compareAndSet(before, after)) {
				return true;
			}
		}
	}

}
