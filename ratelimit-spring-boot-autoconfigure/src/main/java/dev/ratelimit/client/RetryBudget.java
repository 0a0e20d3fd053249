package dev.ratelimit.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The budget of retries of a client: requests earn a fraction of a retry, and a retry
 * that succeeds is refunded. While a server rejects everything, retries increase its load
 * by no more than that fraction. Thread-safe.
 */
final class RetryBudget {

	private static final long RETRY = 1000;

	private final long earned;

	private final long most;

	private final AtomicLong left;

	RetryBudget(double ratio, int reserve) {
		this.earned = Math.round(ratio * RETRY);
		this.most = reserve * RETRY;
		this.left = new AtomicLong(this.most);
	}

	void earn() {
		add(this.earned);
	}

	void refund() {
		add(RETRY);
	}

	boolean spend() {
		return this.left.getAndUpdate((left) -> (left >= RETRY) ? left - RETRY : left) >= RETRY;
	}

	private void add(long part) {
		this.left.getAndUpdate((left) -> Math.min(this.most, left + part));
	}

}
