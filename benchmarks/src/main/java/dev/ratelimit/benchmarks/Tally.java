package dev.ratelimit.benchmarks;

/**
 * The results of one client, or of all clients together.
 */
final class Tally {

	private final LatencyHistogram latencies = new LatencyHistogram();

	private long decisions;

	/**
	 * Count a decision, with its latency. If a decision is not complete when the window
	 * ends, its latency is counted, but it is not part of the throughput. Otherwise, a
	 * client that waits for the whole window would not be visible.
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
