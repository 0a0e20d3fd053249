package dev.ratelimit.load;

/**
 * The reference of each route: the time that a request of the route takes if it does not
 * queue in the backend. Not thread-safe.
 */
final class References {

	/**
	 * The maximum duration of a sample, in references. A longer duration only shows that
	 * the request hung.
	 */
	private static final int MAX_TIMES = 20;

	private static final int MIN_SAMPLES = 5;

	private static final double MAX_STEADY_CHANGE = 0.5;

	/** The maximum part of a small change by which references move at a time. */
	private static final double STEP = 0.3;

	/**
	 * The number of samples with which the reference of a route would move halfway to
	 * their mean, without the limit of {@link #STEP}.
	 */
	private static final int HALF_STEP_SAMPLES = 200;

	/** The reference of each route; 0 if the route has none. */
	private final double[] nanos;

	References(int routes) {
		this.nanos = new double[routes];
	}

	boolean knows(int route) {
		return this.nanos[route] > 0;
	}

	double cut(int route, double tookNanos) {
		return (knows(route)) ? Math.min(tookNanos, MAX_TIMES * this.nanos[route]) : tookNanos;
	}

	/**
	 * Return the time that requests took, divided by their references.
	 * @param times the requests
	 * @return the ratio; not a number if no route has a reference
	 */
	double ratio(RouteTimes times) {
		double took = 0;
		double reference = 0;
		for (int route = 0; route < this.nanos.length; route++) {
			if (knows(route)) {
				took += times.sum(route);
				reference += times.count(route) * this.nanos[route];
			}
		}
		return took / reference;
	}

	/**
	 * Return the mean reference of some requests.
	 * @param times the requests
	 * @return nanoseconds; not a number if no route has one
	 */
	double mean(RouteTimes times) {
		double reference = 0;
		int samples = 0;
		for (int route = 0; route < this.nanos.length; route++) {
			if (knows(route)) {
				reference += times.count(route) * this.nanos[route];
				samples += times.count(route);
			}
		}
		return reference / samples;
	}

	/**
	 * Update the references with requests that did not queue in the backend.
	 * @param times the requests
	 * @return the time that they took, divided by the references so far; 1 if there were
	 * none
	 */
	double teach(RouteTimes times) {
		double ratio = ratio(times);
		boolean known = ratio > 0;
		double scale = (!known) ? 1 : (isSmall(ratio)) ? 1 + STEP * (ratio - 1) : ratio;
		for (int route = 0; route < this.nanos.length; route++) {
			this.nanos[route] *= scale;
			int count = times.count(route);
			if (count >= MIN_SAMPLES) {
				this.nanos[route] = moved(this.nanos[route], times.mean(route), count);
			}
		}
		return (known) ? ratio : 1;
	}

	private static double moved(double reference, double mean, int count) {
		return (reference > 0)
				? reference + Math.min(STEP, count / (double) (count + HALF_STEP_SAMPLES)) * (mean - reference) : mean;
	}

	static boolean isSmall(double ratio) {
		return Math.abs(ratio - 1) < MAX_STEADY_CHANGE;
	}

}
