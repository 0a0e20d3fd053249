package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

/**
 * When the next probe is due: soon after changes, seldom while nothing changes. Not
 * thread-safe.
 */
final class ProbeSchedule {

	private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

	/** Times of a probe: it halves the seats, and slow backends make it long. */
	private static final int PAUSE = 5;

	private static final double STEADY_FROM = 0.7;

	private static final double STEADY_TO = 1.4;

	private static final double FELL = 0.6;

	private static final int LOWEST_WINDOWS = 5;

	private final LimitRange range;

	private long lastNanos;

	private long intervalNanos = MIN_NANOS;

	private double lastLimit;

	private int lowest;

	ProbeSchedule(LimitRange range, long nowNanos) {
		this.range = range;
		this.lastNanos = nowNanos;
		this.lastLimit = range.initial();
	}

	/**
	 * Whether a probe is due at the end of a window.
	 * @param limit the limit
	 * @param nowNanos the time
	 * @return whether to probe now
	 */
	boolean isDue(double limit, long nowNanos) {
		this.lowest = (limit <= this.range.min()) ? this.lowest + 1 : 0;
		long interval = (isSteady(limit)) ? this.intervalNanos : MIN_NANOS;
		return limit < FELL * this.lastLimit || this.lowest >= LOWEST_WINDOWS || nowNanos - this.lastNanos >= interval;
	}

	/**
	 * A probe has ended.
	 * @param limit the limit
	 * @param ratio how long requests took against their references
	 * @param tookNanos how long the probe took
	 * @param nowNanos the time
	 */
	void probed(double limit, double ratio, long tookNanos, long nowNanos) {
		boolean steady = isSteady(limit) && References.isSmall(ratio);
		this.intervalNanos = (steady) ? Math.min(Math.max(MAX_NANOS, PAUSE * tookNanos), this.intervalNanos * 2)
				: MIN_NANOS;
		this.lastNanos = nowNanos;
		this.lastLimit = limit;
		this.lowest = 0;
	}

	private boolean isSteady(double limit) {
		double change = limit / this.lastLimit;
		return change >= STEADY_FROM && change <= STEADY_TO;
	}

}
