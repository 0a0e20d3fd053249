package dev.ratelimit.queue;

/**
 * Internal: how fast a queue drains: what it got lately, and until it got anything, a
 * guess. Older units count less and less. Not thread-safe.
 */
public final class DrainRate {

	private final double memoryNanos;

	private double units;

	private long sinceNanos;

	/**
	 * A rate that is not known yet.
	 * @param perNano the guess, in units per nanosecond; infinite if none is possible
	 * @param memoryNanos how long the guess, and what was got, is remembered
	 * @param nowNanos the time
	 */
	public DrainRate(double perNano, long memoryNanos, long nowNanos) {
		this.memoryNanos = memoryNanos;
		this.units = perNano * memoryNanos;
		this.sinceNanos = nowNanos;
	}

	/**
	 * Units were got.
	 * @param cost how many
	 * @param nowNanos the time
	 */
	public void got(long cost, long nowNanos) {
		this.units = (Double.isInfinite(this.units)) ? this.units : units(nowNanos) + cost;
		this.sinceNanos = nowNanos;
	}

	/**
	 * How long it takes to get some units.
	 * @param cost how many
	 * @param nowNanos the time
	 * @return nanoseconds
	 */
	public long nanosFor(long cost, long nowNanos) {
		return (cost > 0) ? (long) Math.min(Long.MAX_VALUE / 4, cost * this.memoryNanos / units(nowNanos)) : 0;
	}

	private double units(long nowNanos) {
		return this.units * Math.exp((this.sinceNanos - nowNanos) / this.memoryNanos);
	}

}
