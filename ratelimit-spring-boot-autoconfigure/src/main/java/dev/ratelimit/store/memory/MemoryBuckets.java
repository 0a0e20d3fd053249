package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.Policy.VarExpiration;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that are not full. Each bucket is kept until it is full again, because then
 * a new bucket gives the same results. A lookup does not update the records of the cache.
 * A charge sets the expiry only if the previous expiry is too early, which is about once
 * in eight seconds for a busy bucket.
 */
final class MemoryBuckets implements MemoryBucket.Keeper {

	static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * The number of attempts of a charge to find its buckets, which fail if the cache
	 * evicts one of them meanwhile. The last attempt charges an evicted bucket, as if it
	 * had been evicted right after.
	 */
	static final int MAX_ATTEMPTS = 16;

	private final LongSupplier clock;

	private final Cache<Bucket, MemoryBucket> cache;

	private final Policy<Bucket, MemoryBucket> quietly;

	private final VarExpiration<Bucket, MemoryBucket> expiry;

	private final LongAdder liveEvictions = new LongAdder();

	MemoryBuckets(long maxBuckets, LongSupplier clock) {
		this.clock = clock;
		this.cache = Caffeine.newBuilder()
			.maximumSize(maxBuckets)
			.ticker(() -> clock.getAsLong() * NANOS_PER_MILLI)
			.expireAfter(Expiry
				.creating((Bucket key, MemoryBucket bucket) -> Duration.ofMillis(MemoryBucket.MIN_SLACK_MILLIS)))
			.evictionListener(
					(@Nullable Bucket key, @Nullable MemoryBucket bucket, RemovalCause cause) -> dropped(bucket))
			.executor(Runnable::run)
			.build();
		this.quietly = this.cache.policy();
		this.expiry = this.quietly.expireVariably().orElseThrow();
	}

	@Nullable MemoryBucket present(Bucket bucket) {
		return this.quietly.getIfPresentQuietly(bucket);
	}

	/**
	 * Return the counter of a bucket.
	 * @param bucket the bucket
	 * @param create whether to store a new counter, because it will be charged
	 * @return the existing counter, or a new one
	 */
	MemoryBucket find(Bucket bucket, boolean create) {
		MemoryBucket present = present(bucket);
		if (present != null) {
			return present;
		}
		MemoryBucket fresh = new MemoryBucket(bucket, this.clock.getAsLong() + MemoryBucket.MIN_SLACK_MILLIS);
		return (create) ? this.cache.get(fresh, (key) -> fresh) : fresh;
	}

	@Override
	public void keep(MemoryBucket bucket, long fullMillis) {
		if (bucket.outlives(fullMillis)) {
			return;
		}
		synchronized (bucket) {
			// Another thread may have extended it meanwhile.
			if (!bucket.outlives(fullMillis)) {
				long untilMillis = bucket.extension(fullMillis);
				this.expiry.setExpiresAfter(bucket, untilMillis - this.clock.getAsLong(), TimeUnit.MILLISECONDS);
				bucket.extended(untilMillis);
			}
		}
	}

	/**
	 * Charge a bucket that the calling thread holds. If the cache has evicted the bucket,
	 * the charge is lost.
	 * @param counter the counter
	 * @param cost the cost
	 * @param nowMillis the time
	 */
	void take(MemoryBucket counter, long cost, long nowMillis) {
		counter.take(cost, nowMillis);
		if (counter.isGone()) {
			this.liveEvictions.increment();
		}
	}

	// A refund to a bucket that is not stored has no effect, because the bucket is full.
	void settle(Settlement settlement, long nowMillis) {
		boolean create = settlement.units() > 0;
		for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			MemoryBucket counter = find(settlement.bucket(), create);
			long fullMillis = counter.settle(settlement, nowMillis);
			if (fullMillis >= 0) {
				keep(counter, nowMillis + fullMillis);
				return;
			}
		}
		this.liveEvictions.increment();
	}

	/**
	 * Renew slots of this instance.
	 * @param bucket the bucket
	 * @param units the number of slots that it holds
	 * @param nowMillis the time
	 * @return whether the bucket contained slots of this instance before
	 */
	boolean hold(Bucket bucket, long units, long nowMillis) {
		boolean known = true;
		for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			MemoryBucket counter = find(bucket, units > 0);
			known &= counter.knowsHolder() || units == 0;
			long fullMillis = counter.renew(units, nowMillis);
			if (fullMillis >= 0) {
				keep(counter, nowMillis + fullMillis);
				return known;
			}
		}
		this.liveEvictions.increment();
		return known;
	}

	/**
	 * Move the usage under the latest former limit that has a bucket for the subject,
	 * unless the new bucket exists already.
	 * @param to the bucket
	 * @param nowNanos the time
	 * @param nowMillis the time by the clock of the buckets
	 */
	synchronized void move(Bucket to, long nowNanos, long nowMillis) {
		if (present(to) != null) {
			return;
		}
		for (FormerLimit former : to.family().formers()) {
			Bucket from = new Bucket(former.family(), to.subject());
			MemoryBucket old = (former.matters(nowNanos)) ? present(from) : null;
			if (old != null) {
				move(from, old, to, nowMillis);
				return;
			}
		}
	}

	private void move(Bucket from, MemoryBucket old, Bucket to, long nowMillis) {
		long used = old.used(from.family().calculator(), nowMillis);
		discard(from);
		if (used > 0) {
			settle(new Settlement(to, nowMillis, used), nowMillis);
		}
	}

	void discard(Bucket bucket) {
		this.cache.asMap().computeIfPresent(bucket, (key, present) -> {
			present.discard(this.clock.getAsLong());
			return null;
		});
	}

	long liveEvictions() {
		return this.liveEvictions.sum();
	}

	long size() {
		return this.cache.estimatedSize();
	}

	private void dropped(@Nullable MemoryBucket bucket) {
		if (bucket != null && bucket.discard(this.clock.getAsLong())) {
			this.liveEvictions.increment();
		}
	}

}
