package dev.ratelimit.queue;

/**
 * Internal: the rate at which a queue drains: the recent throughput, and an estimate
 * until units were served. The weight of units decreases with their age. Not thread-safe.
 */
public final class DrainRate {

	private final double memoryNanos;

	private double units;

	private long sinceNanos;

	/**
	 * Create a rate without measurements.
	 * @param perNano the estimate, in units per nanosecond; infinite if none is possible
	 * @param memoryNanos the time constant with which the estimate and the throughput
	 * decay
	 * @param nowNanos the time
	 */
	public DrainRate(double perNano, long memoryNanos, long nowNanos) {
		this.memoryNanos = memoryNanos;
		this.units = perNano * memoryNanos;
		this.sinceNanos = nowNanos;
	}

	/**
	 * Count units that were served.
	 * @param cost the number of units
	 * @param nowNanos the time
	 */
	public void served(long cost, long nowNanos) {
		this.units = (Double.isInfinite(this.units)) ? this.units : units(nowNanos) + cost;
		this.sinceNanos = nowNanos;
	}

	/**
	 * Return the time that it takes to serve some units.
	 * @param cost the number of units
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
