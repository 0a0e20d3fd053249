package dev.ratelimit.fault;

import java.util.Arrays;

/**
 * Counts the responses to {@link Callers}.
 */
final class Tally {

	private static final int RECENT = 20;

	private long[] waits = new long[1024];

	/** One bit for each recent response, set if it was counted. */
	private volatile int recent;

	private int answers;

	private int unanswered;

	private int allowed;

	private int counted;

	private int failed;

	private int unavailable;

	void add(ResponseHead head, long waitNanos) {
		if (this.answers == this.waits.length) {
			this.waits = Arrays.copyOf(this.waits, 2 * this.answers);
		}
		this.waits[this.answers++] = waitNanos;
		this.allowed += (head.status() == 200) ? 1 : 0;
		this.failed += (head.status() >= 500) ? 1 : 0;
		this.unavailable += (head.status() == 503) ? 1 : 0;
		boolean isCounted = head.status() == 200 && head.counted();
		this.counted += (isCounted) ? 1 : 0;
		this.recent = (this.recent << 1 | ((isCounted) ? 1 : 0)) & ((1 << RECENT) - 1);
	}

	/**
	 * Return the number of allowed responses with rate limit fields among the last 20.
	 * Thread-safe.
	 */
	int countedRecently() {
		return Integer.bitCount(this.recent);
	}

	void addUnanswered() {
		this.unanswered++;
	}

	int requests() {
		return this.answers + this.unanswered;
	}

	int allowed() {
		return this.allowed;
	}

	/**
	 * Return the number of allowed requests with rate limit fields. Requests that are
	 * allowed without the store have no such fields.
	 */
	int counted() {
		return this.counted;
	}

	double countedPercent() {
		return 100.0 * this.counted / Math.max(1, requests());
	}

	int rejected() {
		return this.answers - this.allowed - this.failed;
	}

	/**
	 * Return the number of requests with a 5xx response or without a response.
	 */
	int failed() {
		return this.failed + this.unanswered;
	}

	/**
	 * Return the number of 503 responses, which a rule may send.
	 */
	int unavailable() {
		return this.unavailable;
	}

	/**
	 * Return the wait in milliseconds that the given share of the requests did not
	 * exceed.
	 */
	double waitMillis(double share) {
		long[] sorted = Arrays.copyOf(this.waits, this.answers);
		Arrays.sort(sorted);
		int index = (int) Math.ceil(requests() * share) - 1;
		// A request without a response has an infinite wait.
		return (index < sorted.length) ? sorted[Math.max(0, index)] / 1e6 : Double.POSITIVE_INFINITY;
	}

	@Override
	public String toString() {
		return "%d requests, %d admitted, %d of them counted, %d refused, %d failed, %d unanswered"
			.formatted(requests(), this.allowed, this.counted, rejected(), this.failed, this.unanswered);
	}

}
