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
import dev.ratelimit.store.Charge;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that have something to remember. Each is kept until it is full again: from
 * then on it says what a new one would. Look-ups leave the cache's books alone; a charge
 * sets the expiry, but only where the last one set does not reach far enough, which for a
 * busy bucket is about once a second.
 */
final class MemoryBuckets {

	static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * How much longer than needed a bucket is kept, so that few charges set the expiry.
	 */
	private static final long SLACK_MILLIS = 1000;

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
			.expireAfter(Expiry.creating((Bucket key, MemoryBucket bucket) -> Duration.ofMillis(SLACK_MILLIS)))
			.evictionListener(
					(@Nullable Bucket key, @Nullable MemoryBucket bucket, RemovalCause cause) -> dropped(bucket))
			.executor(Runnable::run)
			.build();
		this.quietly = this.cache.policy();
		this.expiry = this.quietly.expireVariably().orElseThrow();
	}

	/**
	 * The bucket of a charge.
	 * @param charge the charge
	 * @param create whether a new one is to be remembered, because something will be
	 * taken from it
	 * @return the bucket there is, or a new one
	 */
	MemoryBucket find(Charge charge, boolean create) {
		MemoryBucket present = this.quietly.getIfPresentQuietly(charge.bucket());
		if (present != null) {
			return present;
		}
		MemoryBucket fresh = new MemoryBucket(charge.bucket().family().arithmetic(),
				this.clock.getAsLong() + SLACK_MILLIS);
		return (create) ? this.cache.get(charge.bucket(), (key) -> fresh) : fresh;
	}

	/**
	 * Keep a bucket for as long as a charge on it needs. To be called after the charge
	 * has landed: then whoever comes last sets what is needed by all before.
	 * @param charge the charge
	 * @param bucket its bucket
	 * @param after the state after the charge
	 * @param nowMillis the time of the charge
	 */
	void keep(Charge charge, MemoryBucket bucket, long[] after, long nowMillis) {
		long fullMillis = nowMillis + charge.bucket().family().arithmetic().fullInMillis(after, nowMillis);
		if (bucket.outlives(fullMillis)) {
			return;
		}
		bucket.keepUntil(fullMillis + SLACK_MILLIS, (untilMillis) -> this.expiry.setExpiresAfter(charge.bucket(),
				untilMillis - this.clock.getAsLong(), TimeUnit.MILLISECONDS));
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
