package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.function.Predicate;

/**
 * The requests that were due between two times.
 *
 * @param samples the requests
 * @param from the first of the times, in nanoseconds from the start
 * @param to the other
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
	 * Which part of the requests became this, or no number without any.
	 */
	double share(Outcome outcome) {
		return only((sample) -> sample.outcome() == outcome).samples.size() / (double) this.samples.size();
	}

	double lost() {
		return 1 - share(Outcome.GOOD);
	}

	/**
	 * Good responses per second.
	 */
	double goodput() {
		return only(Sample::isGood).samples.size() / seconds();
	}

	/**
	 * The time that 99 of 100 good responses kept, in milliseconds, or no number if there
	 * are not a hundred.
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
	 * From when on all parts of such a length are good.
	 * @return seconds, or infinity if the last one is not
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
