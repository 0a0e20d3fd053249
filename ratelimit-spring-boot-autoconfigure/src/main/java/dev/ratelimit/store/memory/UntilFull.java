package dev.ratelimit.store.memory;

import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Expiry;
import dev.ratelimit.store.Bucket;

/**
 * Keeps a bucket until it is full again: from then on it says what a new one would.
 */
final class UntilFull implements Expiry<Bucket, MemoryBucket> {

	static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * The cache leaves an expiry alone that would change by less than a second: what is
	 * kept so much longer is never forgotten early.
	 */
	static final long TOLERANCE_MILLIS = TimeUnit.SECONDS.toMillis(1);

	@Override
	public long expireAfterCreate(Bucket key, MemoryBucket bucket, long nowNanos) {
		return untilFull(bucket, nowNanos);
	}

	@Override
	public long expireAfterUpdate(Bucket key, MemoryBucket bucket, long nowNanos, long currentNanos) {
		return untilFull(bucket, nowNanos);
	}

	@Override
	public long expireAfterRead(Bucket key, MemoryBucket bucket, long nowNanos, long currentNanos) {
		return untilFull(bucket, nowNanos);
	}

	private static long untilFull(MemoryBucket bucket, long nowNanos) {
		return TimeUnit.MILLISECONDS.toNanos(bucket.fullInMillis(nowNanos / NANOS_PER_MILLI) + TOLERANCE_MILLIS + 1);
	}

}
