package dev.ratelimit.engine;

import java.time.Duration;

/**
 * Internal: the settings for remembering idempotency keys. Immutable.
 *
 * @param ttl the time for which a key is remembered, 1 ms to 24 h
 * @param maxReplays the maximum number of free retries, 0 to 999
 * @param maxMarkers the maximum number of keys of one client that are remembered at a
 * time, at least 1
 */
public record IdempotencySettings(Duration ttl, int maxReplays, int maxMarkers) {

	/** The defaults: 24 hours, 3 retries, and 1000 keys. */
	public static final IdempotencySettings DEFAULT = new IdempotencySettings(Duration.ofHours(24), 3, 1000);

	public IdempotencySettings {
		require(ttl.toMillis() >= 1 && ttl.compareTo(Duration.ofHours(24)) <= 0, "'ttl' must be between 1 ms and 24 h");
		require(maxReplays >= 0 && maxReplays <= 999, "'max-replays' must be between 0 and 999");
		require(maxMarkers >= 1, "'max-markers' must be at least 1");
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
