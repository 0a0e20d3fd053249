package dev.ratelimit.benchmarks;

import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Cache;

/**
 * The simplest limiter for many keys in memory. A bounded cache contains the time at
 * which the bucket of each key is full again, and a compare-and-set changes this time.
 * The result is only yes or no.
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
