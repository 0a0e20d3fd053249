package dev.ratelimit.benchmarks;

import java.math.BigInteger;
import java.time.Duration;

/**
 * The limit that every contestant enforces: a bucket with {@code capacity} tokens, which
 * is full at first and refills evenly over {@code period}.
 */
record Limit(long capacity, Duration period) {

	/**
	 * Read a limit such as {@code 1000000000/PT1M}.
	 */
	static Limit parse(String text) {
		String[] parts = text.split("/", 2);
		return new Limit(Long.parseLong(parts[0]), Duration.parse(parts[1]));
	}

	String toText() {
		return this.capacity + "/" + this.period;
	}

	long unitsPerToken() {
		return this.period.toMillis() / greatestCommonDivisor();
	}

	long unitsPerMilli() {
		return this.capacity / greatestCommonDivisor();
	}

	/**
	 * Return the number of units of a token in a bucket that counts time in whole
	 * seconds. Such a bucket receives {@link #unitsPerSecond()} units per second.
	 */
	int secondUnitsPerToken() {
		return Math.toIntExact(this.period.toSeconds() / divisorOfSeconds());
	}

	int unitsPerSecond() {
		return Math.toIntExact(this.capacity / divisorOfSeconds());
	}

	private long divisorOfSeconds() {
		return BigInteger.valueOf(this.capacity).gcd(BigInteger.valueOf(this.period.toSeconds())).longValue();
	}

	private long greatestCommonDivisor() {
		return BigInteger.valueOf(this.capacity).gcd(BigInteger.valueOf(this.period.toMillis())).longValue();
	}

}
