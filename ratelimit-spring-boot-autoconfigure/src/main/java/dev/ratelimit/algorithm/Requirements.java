package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Requirements of several algorithms for a limit.
 */
final class Requirements {

	/** Integers up to this one are exact in Lua. */
	static final long MAX_EXACT_INTEGER = 1L << 53;

	/** Twenty years: the time until which products with a refill are exact. */
	static final long HORIZON_MILLIS = 20L * 365 * 24 * 3600 * 1000;

	private Requirements() {
	}

	// For algorithms that allow at most the quantity at once.
	static void noBurst(Limit limit) {
		require(limit.burst() == limit.quantity(), limit.algorithm() + " does not support 'burst'; remove it");
	}

	static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
