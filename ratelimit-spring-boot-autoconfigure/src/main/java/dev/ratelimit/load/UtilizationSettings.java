package dev.ratelimit.load;

import java.time.Duration;

/**
 * When a guard sheds because its seats are used too much. Immutable.
 *
 * @param shedAbove from which utilization on, in percent of the seats
 * @param restoreBelow below which utilization what was shed comes back, in percent
 * @param delay how long the seats must be used fully until the first request is shed
 * @param ramp how long they must be used fully after that until only critical requests
 * are left
 */
record UtilizationSettings(int shedAbove, int restoreBelow, Duration delay, Duration ramp) {

	/**
	 * Checks the numbers.
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
