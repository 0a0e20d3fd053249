package dev.ratelimit.load;

import java.util.Arrays;

/**
 * The durations of requests, by route: their number and their sum. Not thread-safe.
 */
final class RouteTimes {

	private final int[] counts;

	private final double[] sums;

	private int total;

	RouteTimes(int routes) {
		this.counts = new int[routes];
		this.sums = new double[routes];
	}

	void add(int route, double nanos) {
		this.counts[route]++;
		this.sums[route] += nanos;
		this.total++;
	}

	int total() {
		return this.total;
	}

	int count(int route) {
		return this.counts[route];
	}

	double sum(int route) {
		return this.sums[route];
	}

	double mean(int route) {
		return this.sums[route] / this.counts[route];
	}

	void clear() {
		Arrays.fill(this.counts, 0);
		Arrays.fill(this.sums, 0);
		this.total = 0;
	}

}
