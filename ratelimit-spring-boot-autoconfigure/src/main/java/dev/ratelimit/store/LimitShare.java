package dev.ratelimit.store;

import dev.ratelimit.Limit;

/**
 * Internal: divides limits between instances or regions, each of which counts alone.
 */
public final class LimitShare {

	private LimitShare() {
	}

	/**
	 * Return the share of one instance: the quantities divided by the number of
	 * instances, rounded down, at least 1.
	 * @param limit the limit
	 * @param instances the number of instances that share the limit, at least 1
	 * @return the share
	 */
	static Limit ofInstance(Limit limit, int instances) {
		return lowered(limit, Math.max(1, limit.quantity() / instances), Math.max(1, limit.burst() / instances),
				limit.credit() / instances);
	}

	/**
	 * Return a part of a limit: quantity, burst, and credit times a part of a whole,
	 * rounded down.
	 * @param limit the limit
	 * @param part the part, at least 1
	 * @param whole the whole, at least the part
	 * @return the share
	 * @throws IllegalArgumentException if less than one unit is left
	 */
	public static Limit of(Limit limit, int part, int whole) {
		return lowered(limit, times(limit.quantity(), part, whole), times(limit.burst(), part, whole),
				times(limit.credit(), part, whole));
	}

	// Without overflow.
	private static long times(long units, int part, int whole) {
		return units / whole * part + units % whole * part / whole;
	}

	/**
	 * Return a limit with half the burst, for limits that cannot be counted exactly.
	 * @param limit the limit
	 * @return the limit with a burst of at least 1
	 */
	static Limit withHalfBurst(Limit limit) {
		return lowered(limit, limit.quantity(), Math.max(1, limit.burst() / 2), limit.credit());
	}

	// No algorithm refills its whole capacity in less than a millisecond. The product may
	// have more than 63 bits unless it is the smaller one.
	private static Limit lowered(Limit limit, long quantity, long burst, long credit) {
		long millis = limit.period().toMillis();
		long slowed = (burst > quantity / millis) ? quantity : burst * millis;
		return new Limit(limit.algorithm(), slowed, limit.period(), burst, credit, limit.calendar(),
				limit.concurrent());
	}

}
