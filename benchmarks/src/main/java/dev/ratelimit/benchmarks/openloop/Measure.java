package dev.ratelimit.benchmarks.openloop;

import java.util.Locale;

/**
 * A figure of a contestant, with the bar that the library must meet.
 */
enum Measure {

	/**
	 * The share of the critical requests with a 2xx response in time, at three times the
	 * capacity.
	 */
	CRITICAL("critical", Better.HIGHER, 0.99, 3),

	/**
	 * The share of the high requests with a 2xx response in time, at three times the
	 * capacity.
	 */
	HIGH("high", Better.HIGHER, 3),

	/**
	 * The share of the normal requests with a 2xx response in time, at three times the
	 * capacity.
	 */
	NORMAL("normal", Better.HIGHER, 3),

	/**
	 * The share of the low requests with a 2xx response in time, at three times the
	 * capacity.
	 */
	LOW("low", Better.HIGHER, 3),

	/**
	 * The rate of 2xx responses in time at three times the capacity, as a share of the
	 * capacity.
	 */
	GOODPUT("2xx in time of C", Better.HIGHER, 0.95, 3),

	/** The p99 latency of the 2xx responses in time at three times the capacity. */
	P99("p99 ms", Better.LOWER, 1),

	/**
	 * The p99 latency at three times the capacity, divided by that at half of the
	 * capacity.
	 */
	P99_RATIO("p99 of unloaded", Better.LOWER, 2, 2),

	/** The share of the requests with a response in time other than 2xx. */
	SHED("shed", Better.NEITHER, 3),

	/**
	 * The share of the shed requests that were shed before the rules, and so without a
	 * call to Redis.
	 */
	SHED_EARLY("of it before the rules", Better.HIGHER, 0.9, 3),

	/** The share of the requests without a response in time. */
	LATE("late", Better.LOWER, 3),

	/**
	 * The share of the requests without a 2xx response in time, at four fifths of the
	 * capacity.
	 */
	BELOW_LOST("lost at 0.8 C", Better.LOWER, 0.001, 4),

	/**
	 * The time until all later windows are good, after a step to three times the
	 * capacity.
	 */
	STEP_SECONDS("step to 3 C, s", Better.LOWER, 1, 1),

	/**
	 * The share of the requests without a 2xx response in time, from two seconds after
	 * the step back.
	 */
	BACK_LOST("lost 2 s after the step back", Better.LOWER, 0, 4),

	/** The time until all later windows are good, after the backend became slower. */
	SLOWER_SECONDS("backend 2x slower, s", Better.LOWER, 10, 0),

	/**
	 * The share of the normal requests with a 2xx response in time, if nine tenths are
	 * high.
	 */
	FLOOD_NORMAL("90 % high: normal", Better.HIGHER, 0.95, 3),

	/**
	 * The share of the low requests with a 2xx response in time, if nine tenths are high.
	 */
	FLOOD_LOW("90 % high: low", Better.HIGHER, 0.95, 3),

	/**
	 * The p99 latency of the other tenants, divided by that at half of the capacity, if
	 * one tenant sends a hundred times as many requests as each of the others.
	 */
	NOISY_P99_RATIO("noisy tenant: others' p99 of unloaded", Better.LOWER, 1.5, 2),

	/**
	 * The share of the other tenants' requests without a 2xx response in time, if one
	 * tenant sends a hundred times as many requests as each of the others.
	 */
	NOISY_LOST("noisy tenant: others lost", Better.LOWER, 0.005, 4),

	/**
	 * The rate of 2xx responses in time as a share of the capacity, if clients wait for
	 * their responses.
	 */
	CLOSED_GOODPUT("closed: 2xx in time of C", Better.HIGHER, 3),

	/**
	 * The p99 latency of the 2xx responses in time, if clients wait for their responses.
	 */
	CLOSED_P99("closed: p99 ms", Better.LOWER, 1),

	/** The p99 latency of the 2xx responses in time, at half of the capacity. */
	UNLOADED_P99("unloaded p99 ms", Better.NEITHER, 1),

	/** The p99 delay with which the generator sent requests, at half of the capacity. */
	UNLOADED_LAG("generator late, p99 ms, unloaded", Better.NEITHER, 2),

	/**
	 * The p99 delay with which the generator sent requests, at three times the capacity.
	 */
	GENERATOR_LAG("generator late, p99 ms, 3 C", Better.NEITHER, 2),

	/** The number of cores that the generator used, at three times the capacity. */
	GENERATOR_CORES("generator's cores", Better.NEITHER, 2),

	/** The number of cores that the server used, at three times the capacity. */
	SERVER_CORES("server's cores", Better.NEITHER, 2);

	private final String label;

	private final Better better;

	private final double bar;

	private final int decimals;

	Measure(String label, Better better, int decimals) {
		this(label, better, Double.NaN, decimals);
	}

	Measure(String label, Better better, double bar, int decimals) {
		this.label = label;
		this.better = better;
		this.bar = bar;
		this.decimals = decimals;
	}

	String label() {
		return this.label;
	}

	boolean hasBar() {
		return !Double.isNaN(this.bar);
	}

	boolean isCompared() {
		return this.better != Better.NEITHER;
	}

	/**
	 * Return the bar as text, or a dash if there is no bar.
	 */
	String barText() {
		return (hasBar()) ? this.better.sign + " " + format(this.bar) : "-";
	}

	// Values are compared as shown: two values with the same text are equal.
	boolean meetsBar(double value) {
		return !Double.isNaN(value) && (format(value).equals(format(this.bar)) || isBetter(value, this.bar));
	}

	boolean isBetter(double value, double other) {
		if (Double.isNaN(value) || format(value).equals(format(other))) {
			return false;
		}
		return Double.isNaN(other) || ((this.better == Better.HIGHER) ? value > other : value < other);
	}

	String format(double value) {
		if (Double.isNaN(value)) {
			return "-";
		}
		return (Double.isInfinite(value)) ? "never" : String.format(Locale.ROOT, "%." + this.decimals + "f", value);
	}

	/**
	 * The direction in which values are better.
	 */
	private enum Better {

		HIGHER("≥"), LOWER("≤"), NEITHER("");

		private final String sign;

		Better(String sign) {
			this.sign = sign;
		}

	}

}
