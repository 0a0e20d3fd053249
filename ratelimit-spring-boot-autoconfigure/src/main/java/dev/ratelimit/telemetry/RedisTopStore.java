package dev.ratelimit.telemetry;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.redis.RejectionCounts;

/**
 * The sums of all instances, in Redis.
 *
 * @param counts the sums
 */
record RedisTopStore(RejectionCounts counts) implements TopStore, SharedKey {

	@Override
	public CompletableFuture<Void> add(long minute, Map<String, Long> counts) {
		return this.counts.add(minute, counts);
	}

	@Override
	public CompletableFuture<Map<String, Long>> read(long minute) {
		return this.counts.read(minute);
	}

	@Override
	public CompletableFuture<byte[]> agree(byte[] proposed) {
		return this.counts.agree(proposed);
	}

}
