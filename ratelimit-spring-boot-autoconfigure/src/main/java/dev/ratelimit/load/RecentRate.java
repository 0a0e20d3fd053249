package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

/**
 * The rate of recent events, per nanosecond. Not thread-safe.
 */
final class RecentRate {

	private static final double DECAY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private double count;

	private long lastNanos;

	RecentRate(long nowNanos) {
		this.lastNanos = nowNanos;
	}

	void add(long nowNanos) {
		this.count = count(nowNanos) + 1;
		// The time of a late thread may be earlier than that of another thread.
		this.lastNanos += Math.max(0, nowNanos - this.lastNanos);
	}

	double at(long nowNanos) {
		return count(nowNanos) / DECAY_NANOS;
	}

	private double count(long nowNanos) {
		return this.count * Math.exp(-Math.max(0, nowNanos - this.lastNanos) / DECAY_NANOS);
	}

}
