package dev.ratelimit.benchmarks.http;

import java.util.function.BiConsumer;

/**
 * Writes the header fields that the library also sends.
 */
final class Fields {

	private final String policy;

	private final String limit;

	private final long perToken;

	private final long perMilli;

	private final long capacity;

	Fields(Numbers numbers) {
		this.policy = "\"hello\";q=" + numbers.limit() + ";w=" + numbers.period().toSeconds();
		this.limit = String.valueOf(numbers.limit());
		this.perToken = numbers.unitsPerToken();
		this.perMilli = numbers.unitsPerMilli();
		this.capacity = numbers.capacity();
	}

	/**
	 * Write the header fields of a request that is allowed.
	 * @param lacking the number of units that the bucket lacks to be full, after the
	 * charge
	 */
	void allowed(long lacking, BiConsumer<String, String> target) {
		long rest = lacking % this.perToken;
		long next = (rest == 0) ? this.perToken : rest;
		write((this.capacity - lacking) / this.perToken, seconds(millis(next)), millis(lacking), target);
	}

	/**
	 * Write the header fields of a request that is rejected.
	 * @param lacking the number of units that the bucket would lack to be full, if the
	 * request were charged
	 */
	void rejected(long lacking, BiConsumer<String, String> target) {
		long wait = millis(lacking - this.capacity);
		write(0, seconds(wait), wait, target);
		target.accept("Retry-After", String.valueOf(seconds(wait)));
		target.accept("Cache-Control", "no-store");
	}

	private void write(long remaining, long next, long resetMillis, BiConsumer<String, String> target) {
		String left = String.valueOf(remaining);
		target.accept("RateLimit-Policy", this.policy);
		target.accept("RateLimit", "\"hello\";r=" + left + ";t=" + next);
		target.accept("X-RateLimit-Limit", this.limit);
		target.accept("X-RateLimit-Remaining", left);
		target.accept("X-RateLimit-Reset", String.valueOf(seconds(System.currentTimeMillis() + resetMillis)));
	}

	private long millis(long units) {
		return (units + this.perMilli - 1) / this.perMilli;
	}

	private static long seconds(long millis) {
		return (millis + 999) / 1000;
	}

}
