package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.function.Predicate;

/**
 * The requests that were due between two times.
 *
 * @param samples the requests
 * @param from the first time, in nanoseconds from the start of the run
 * @param to the second time
 */
record Window(List<Sample> samples, long from, long to) {

	private static final int FEW = 100;

	static Window of(List<Sample> all, long from, long to) {
		return new Window(all.stream().filter((sample) -> sample.due() >= from && sample.due() < to).toList(), from,
				to);
	}

	Window only(Predicate<Sample> condition) {
		return new Window(this.samples.stream().filter(condition).toList(), this.from, this.to);
	}

	Window from(double seconds) {
		return of(this.samples, this.from + (long) (seconds * 1e9), this.to);
	}

	Window between(double fromSeconds, double toSeconds) {
		return of(this.samples, this.from + (long) (fromSeconds * 1e9), this.from + (long) (toSeconds * 1e9));
	}

	double seconds() {
		return (this.to - this.from) / 1e9;
	}

	/**
	 * Return the share of the requests with an outcome, or NaN if there are none.
	 */
	double share(Outcome outcome) {
		return only((sample) -> sample.outcome() == outcome).samples.size() / (double) this.samples.size();
	}

	double lost() {
		return 1 - share(Outcome.GOOD);
	}

	/**
	 * Return the number of good responses per second.
	 */
	double goodput() {
		return only(Sample::isGood).samples.size() / seconds();
	}

	/**
	 * Return the 99th percentile of the latency of good responses, in milliseconds, or
	 * NaN if there are fewer than a hundred.
	 */
	double p99() {
		return percentile(only(Sample::isGood).samples.stream().mapToLong(Sample::nanos).sorted().toArray());
	}

	double lagP99() {
		return percentile(this.samples.stream().mapToLong(Sample::lag).sorted().toArray());
	}

	private static double percentile(long[] sorted) {
		return (sorted.length < FEW) ? Double.NaN : sorted[(int) Math.ceil(sorted.length * 0.99) - 1] / 1e6;
	}

	/**
	 * Return the time from which all windows of a given length are good.
	 * @return the time in seconds, or infinity if the last window is not good
	 */
	double settledAfter(double length, double goodput) {
		double settled = 0;
		for (double start = 0; start + length <= seconds() + 1e-9; start += length) {
			if (between(start, start + length).goodput() < goodput) {
				settled = start + length;
			}
		}
		return (settled + length > seconds() + 1e-9) ? Double.POSITIVE_INFINITY : settled;
	}

}
