package dev.ratelimit.load;

import java.time.Duration;

/**
 * The settings of a guard that sheds whole levels if the utilization of its seats is too
 * high. Immutable.
 *
 * @param shedAbove the utilization above which levels are shed, in percent of the seats
 * @param restoreBelow the utilization below which levels are restored, in percent
 * @param delay the time of full utilization until the first request is shed
 * @param ramp the further time of full utilization until only critical requests are
 * allowed
 */
record UtilizationSettings(int shedAbove, int restoreBelow, Duration delay, Duration ramp) {

	/**
	 * Check the numbers.
	 * @throws IllegalArgumentException if a number is out of range
	 */
	UtilizationSettings {
		if (restoreBelow < 1 || restoreBelow > shedAbove || shedAbove > 99) {
			throw new IllegalArgumentException("'utilization.restore-below' must be from 1% to "
					+ "'utilization.shed-above', and that at most 99%, but they are " + restoreBelow + "% and "
					+ shedAbove + "%");
		}
		if (delay.isNegative() || ramp.isNegative() || ramp.isZero() || delay.plus(ramp).toHours() > 0) {
			throw new IllegalArgumentException("'utilization.delay' and 'utilization.ramp' must be less than an hour"
					+ " together, and the ramp more than 0");
		}
	}

}
