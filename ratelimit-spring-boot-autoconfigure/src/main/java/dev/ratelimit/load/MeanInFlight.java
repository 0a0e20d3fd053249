package dev.ratelimit.load;

/**
 * The mean number of requests in flight during a window. Not thread-safe.
 */
final class MeanInFlight {

	private int now;

	private double sum;

	private long lastNanos;

	private long sinceNanos;

	void is(int inFlight, long nowNanos) {
		add(nowNanos);
		this.now = inFlight;
	}

	void less(long nowNanos) {
		add(nowNanos);
		this.now--;
	}

	private void add(long nowNanos) {
		this.sum += (double) this.now * (nowNanos - this.lastNanos);
		this.lastNanos = nowNanos;
	}

	double mean(long nowNanos) {
		add(nowNanos);
		return this.sum / (nowNanos - this.sinceNanos);
	}

	void startWindow(long nowNanos) {
		this.sum = 0;
		this.sinceNanos = nowNanos;
		this.lastNanos = nowNanos;
	}

}
