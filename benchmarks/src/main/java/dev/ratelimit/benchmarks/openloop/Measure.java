package dev.ratelimit.benchmarks.openloop;

import java.util.Locale;

/**
 * What is measured of a contestant, and the bar that the library sets itself.
 */
enum Measure {

	/** Of the critical requests at three times the capacity, in time. */
	CRITICAL("critical", Better.HIGHER, 0.99, 3),

	/** As critical. */
	HIGH("high", Better.HIGHER, 3),

	/** As critical. */
	NORMAL("normal", Better.HIGHER, 3),

	/** As critical. */
	LOW("low", Better.HIGHER, 3),

	/** All responses in time, of the capacity. */
	GOODPUT("2xx in time of C", Better.HIGHER, 0.95, 3),

	/** Time of what was good at three times the capacity. */
	P99("p99 ms", Better.LOWER, 1),

	/** Divided by that at half of it. */
	P99_RATIO("p99 of unloaded", Better.LOWER, 2, 2),

	/** Other responses in time, of the requests. */
	SHED("shed", Better.NEITHER, 3),

	/** Before the rules, and so without a call to Redis, of all that was shed. */
	SHED_EARLY("of it before the rules", Better.HIGHER, 0.9, 3),

	/** No response in time, of the requests. */
	LATE("late", Better.LOWER, 3),

	/** Not good at four fifths of the capacity. */
	BELOW_LOST("lost at 0.8 C", Better.LOWER, 0.001, 4),

	/** Until all later windows are good, after a step to three times. */
	STEP_SECONDS("step to 3 C, s", Better.LOWER, 1, 1),

	/** Not good, from two seconds after the step back on. */
	BACK_LOST("lost 2 s after the step back", Better.LOWER, 0, 4),

	/** Until all later windows are good, after the backend became slower. */
	SLOWER_SECONDS("backend 2x slower, s", Better.LOWER, 10, 0),

	/** Of the normal requests, where nine tenths are high. */
	FLOOD_NORMAL("90 % high: normal", Better.HIGHER, 0.95, 3),

	/** Of the low requests, where nine tenths are high. */
	FLOOD_LOW("90 % high: low", Better.HIGHER, 0.95, 3),

	/** Of the other tenants, if one sends a hundred times as many requests. */
	NOISY_P99_RATIO("noisy tenant: others' p99 of unloaded", Better.LOWER, 1.5, 2),

	/** Of the requests of the other tenants. */
	NOISY_LOST("noisy tenant: others lost", Better.LOWER, 0.005, 4),

	/** All responses in time of the capacity, where clients wait for each other. */
	CLOSED_GOODPUT("closed: 2xx in time of C", Better.HIGHER, 3),

	/** Their time. */
	CLOSED_P99("closed: p99 ms", Better.LOWER, 1),

	/** At half of the capacity. */
	UNLOADED_P99("unloaded p99 ms", Better.NEITHER, 1),

	/** How much later than due the generator sent, at half of the capacity. */
	UNLOADED_LAG("generator late, p99 ms, unloaded", Better.NEITHER, 2),

	/** At three times the capacity. */
	GENERATOR_LAG("generator late, p99 ms, 3 C", Better.NEITHER, 2),

	/** Of the generator's process at three times the capacity. */
	GENERATOR_CORES("generator's cores", Better.NEITHER, 2),

	/** Of the server's process at three times the capacity. */
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
	 * The bar as text, or a dash.
	 */
	String barText() {
		return (hasBar()) ? this.better.sign + " " + format(this.bar) : "-";
	}

	// Compared as shown: what looks the same is the same.
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
	 * Which of two values is better.
	 */
	private enum Better {

		HIGHER("≥"), LOWER("≤"), NEITHER("");

		private final String sign;

		Better(String sign) {
			this.sign = sign;
		}

	}

}
