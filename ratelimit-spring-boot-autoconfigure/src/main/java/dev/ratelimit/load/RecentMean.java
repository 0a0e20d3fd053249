package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

/**
 * The mean of a number lately. Not thread-safe.
 */
final class RecentMean {

	private static final double FADES_NANOS = TimeUnit.SECONDS.toNanos(1);

	private double mean;

	private long lastNanos;

	/**
	 * The number is about to change.
	 * @param value what it was until now
	 * @param nowNanos the time
	 */
	void was(int value, long nowNanos) {
		double age = (nowNanos - this.lastNanos) / FADES_NANOS;
		this.mean = (this.mean + age * value) / (1 + age);
		this.lastNanos = nowNanos;
	}

	double get() {
		return this.mean;
	}

}
