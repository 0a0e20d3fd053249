package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.hash.KeyedHash;

/**
 * Sheds whole levels, the lowest first, if the utilization of the seats is too high for a
 * while, and restores them as slowly. It keeps seats free until further instances start.
 * It is too slow to protect against sudden load. Not thread-safe.
 *
 * @see <a href="https://stripe.com/blog/rate-limiters">Scaling your API with rate
 * limiters</a>
 */
final class UtilizationShedder {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** The interval at which the shed clients change. */
	private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final int SHED_LEVELS = Level.values().length - 1;

	private final double shedAbove;

	private final double restoreBelow;

	private final double delaySeconds;

	private final double rampSeconds;

	private final int seats;

	private final MeanInFlight inFlight = new MeanInFlight();

	private long sinceNanos;

	/**
	 * The time for which the utilization has been too high, in seconds, weighted by the
	 * excess.
	 */
	private double seconds;

	UtilizationShedder(UtilizationSettings settings, int seats, long nowNanos) {
		this.shedAbove = settings.shedAbove() / 100.0;
		this.restoreBelow = settings.restoreBelow() / 100.0;
		this.delaySeconds = settings.delay().toNanos() / SECOND_NANOS;
		this.rampSeconds = settings.ramp().toNanos() / SECOND_NANOS;
		this.seats = seats;
		startWindow(nowNanos);
	}

	void uses(int taken, long nowNanos) {
		advance(nowNanos);
		this.inFlight.is(taken, nowNanos);
	}

	/**
	 * Return whether a request is shed.
	 * @param level its level; critical requests are never shed
	 * @param flow the flow of the request; within a minute, either all or no requests of
	 * a flow on a level are shed
	 * @param nowNanos the time
	 * @return whether it is shed
	 */
	boolean sheds(Level level, String flow, long nowNanos) {
		advance(nowNanos);
		double ratio = ratio(level);
		return ratio > 0 && fraction(flow, nowNanos / PERIOD_NANOS) < ratio;
	}

	private double ratio(Level level) {
		double height = clamp((this.seconds - this.delaySeconds) / this.rampSeconds, 1);
		return clamp(SHED_LEVELS * height - (Level.LOW.ordinal() - level.ordinal()), 1);
	}

	private void advance(long nowNanos) {
		long age = nowNanos - this.sinceNanos;
		if (age >= WINDOW_NANOS) {
			add(this.inFlight.mean(nowNanos) / this.seats, age / SECOND_NANOS);
			startWindow(nowNanos);
		}
	}

	private void add(double utilization, double passed) {
		double change = 0;
		if (utilization > this.shedAbove) {
			change = passed * (utilization - this.shedAbove) / (1 - this.shedAbove);
		}
		else if (utilization < this.restoreBelow) {
			change = -passed * (this.restoreBelow - utilization) / this.restoreBelow;
		}
		this.seconds = clamp(this.seconds + change, this.delaySeconds + this.rampSeconds);
	}

	private void startWindow(long nowNanos) {
		this.inFlight.startWindow(nowNanos);
		this.sinceNanos = nowNanos;
	}

	// Returns a pseudorandom number from 0 to 1 for a flow and a period.
	private static double fraction(String flow, long number) {
		long mixed = (KeyedHash.of(flow) + number * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
		return (mixed >>> 11) * 0x1.0p-53;
	}

	private static double clamp(double value, double max) {
		return Math.max(0, Math.min(max, value));
	}

}
