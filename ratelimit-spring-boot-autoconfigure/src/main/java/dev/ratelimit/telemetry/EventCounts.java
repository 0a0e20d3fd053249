package dev.ratelimit.telemetry;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of events that were sent and dropped. Thread-safe.
 */
final class EventCounts {

	private final LongAdder sent = new LongAdder();

	private final LongAdder aboveRate = new LongAdder();

	private final LongAdder full = new LongAdder();

	private final LongAdder failed = new LongAdder();

	/**
	 * Return the number of events that all sinks have received.
	 * @return the number
	 */
	long sent() {
		return this.sent.sum();
	}

	/**
	 * Return the number of events above the maximum per second.
	 * @return the number
	 */
	long aboveRate() {
		return this.aboveRate.sum();
	}

	/**
	 * Return the number of events that were dropped because the queue was full: a sink
	 * was too slow.
	 * @return the number
	 */
	long full() {
		return this.full.sum();
	}

	/**
	 * Return the number of events that a sink has failed to receive.
	 * @return the number
	 */
	long failed() {
		return this.failed.sum();
	}

	void addSent(int events) {
		this.sent.add(events);
	}

	void addAboveRate() {
		this.aboveRate.increment();
	}

	void addFull() {
		this.full.increment();
	}

	void addFailed(int events) {
		this.failed.add(events);
	}

}
