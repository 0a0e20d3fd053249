package dev.ratelimit.benchmarks;

import java.math.BigInteger;
import java.time.Duration;

/**
 * The limit every contestant enforces: a full bucket of {@code capacity} tokens that
 * refills evenly over {@code period}.
 */
record Limit(long capacity, Duration period) {

	/**
	 * Reads {@code 1000000000/PT1M}.
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
	 * A bucket that counts time in whole seconds is given {@link #unitsPerSecond()} units
	 * each second, and a token takes this many of them.
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
