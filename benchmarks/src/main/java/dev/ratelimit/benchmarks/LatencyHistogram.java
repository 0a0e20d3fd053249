package dev.ratelimit.benchmarks;

/**
 * A histogram of latencies in nanoseconds. Each bucket is narrower than two percent of
 * its value. Only one thread at a time may write to it.
 */
final class LatencyHistogram {

	private static final int SUB_BITS = 6;

	private static final int SUB_BUCKETS = 1 << SUB_BITS;

	private final long[] counts = new long[(Long.SIZE - SUB_BITS) * SUB_BUCKETS];

	private long total;

	void record(long nanos) {
		this.counts[indexOf(Math.max(0, nanos))]++;
		this.total++;
	}

	void add(LatencyHistogram other) {
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] += other.counts[i];
		}
		this.total += other.total;
	}

	double millisAt(double quantile) {
		long rank = Math.max(1, (long) Math.ceil(this.total * quantile));
		int index = -1;
		for (long seen = 0; seen < rank && index < this.counts.length - 1;) {
			seen += this.counts[++index];
		}
		return lowestIn(Math.max(0, index)) / 1e6;
	}

	private static int indexOf(long nanos) {
		int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - 1 - SUB_BITS);
		return (shift << SUB_BITS) + (int) (nanos >>> shift);
	}

	private static long lowestIn(int index) {
		int shift = Math.max(0, (index >> SUB_BITS) - 1);
		return ((long) index - ((long) shift << SUB_BITS)) << shift;
	}

}
