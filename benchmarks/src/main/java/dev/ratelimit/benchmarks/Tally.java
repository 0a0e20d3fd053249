package dev.ratelimit.benchmarks;

/**
 * What one caller saw, or all of them together.
 */
final class Tally {

	private final LatencyHistogram latencies = new LatencyHistogram();

	private long decisions;

	/**
	 * A decision still open when the window ends counts as a time, though not as
	 * throughput: a caller that waited the whole window out would not show otherwise.
	 */
	void answered(long nanos, Phase phase) {
		if (phase != Phase.WARMING_UP) {
			this.latencies.record(nanos);
		}
		if (phase == Phase.MEASURING) {
			this.decisions++;
		}
	}

	/**
	 * Count a decision that was not timed.
	 */
	void answered(Phase phase) {
		if (phase == Phase.MEASURING) {
			this.decisions++;
		}
	}

	void add(Tally other) {
		this.latencies.add(other.latencies);
		this.decisions += other.decisions;
	}

	long decisions() {
		return this.decisions;
	}

	double millisAt(double quantile) {
		return this.latencies.millisAt(quantile);
	}

}
