package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * What several algorithms ask of a limit.
 */
final class Requirements {

	/** Numbers below are exact in Lua. */
	static final long EXACT = 1L << 53;

	private Requirements() {
	}

	// Where the quantity itself is all that may come at once.
	static void noBurst(Limit limit) {
		require(limit.burst() == limit.quantity(),
				limit.algorithm() + " knows no burst: as many as the limit may come at once; leave 'burst' out");
	}

	static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
