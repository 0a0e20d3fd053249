package dev.ratelimit.test;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.Limit;

/**
 * Limits for tests.
 */
public final class Limits {

	private Limits() {
	}

	/**
	 * A limit of concurrent requests.
	 * @param quantity the maximum number of concurrent requests
	 * @param lease the duration of a lease
	 * @return the limit
	 */
	public static Limit concurrent(long quantity, Duration lease) {
		return new Limit("concurrency", quantity, lease, quantity, 0, Optional.empty(), true);
	}

}
