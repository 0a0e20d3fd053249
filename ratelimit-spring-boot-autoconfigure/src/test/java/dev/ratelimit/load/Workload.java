package dev.ratelimit.load;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * Simulated requests with random arrivals at a given rate and lognormal service times.
 */
final class Workload {

	static final double SECOND = 1e9;

	final Random random;

	final double meanNanos;

	final double sigma;

	/** The requests per second, by the time in seconds. */
	DoubleUnaryOperator rate = (seconds) -> 0;

	/** The factor of service times, by the time in seconds. */
	DoubleUnaryOperator slowness = (seconds) -> 1;

	/**
	 * The share of requests for route 1, by the time in seconds. The others are for route
	 * 0.
	 */
	DoubleUnaryOperator second = (seconds) -> 0;

	double secondNanos;

	Workload(long seed, double meanMillis, double sigma) {
		this.random = new Random(seed);
		this.meanNanos = meanMillis * 1e6;
		this.sigma = sigma;
	}

	double nextArrival(double now) {
		double rate = this.rate.applyAsDouble(now / SECOND);
		return now - Math.log(1 - this.random.nextDouble()) / rate * SECOND;
	}

	int route(double now) {
		return (this.random.nextDouble() < this.second.applyAsDouble(now / SECOND)) ? 1 : 0;
	}

	double service(int route, double now) {
		double mean = ((route == 0) ? this.meanNanos : this.secondNanos) * this.slowness.applyAsDouble(now / SECOND);
		return mean * Math.exp(this.sigma * this.random.nextGaussian() - this.sigma * this.sigma / 2);
	}

}
