package dev.ratelimit.telemetry;

import java.util.concurrent.atomic.LongAdder;

/**
 * What became of the events. Thread-safe.
 */
final class EventCounts {

	private final LongAdder sent = new LongAdder();

	private final LongAdder aboveRate = new LongAdder();

	private final LongAdder full = new LongAdder();

	private final LongAdder failed = new LongAdder();

	/**
	 * Events that all sinks have received.
	 * @return how many
	 */
	long sent() {
		return this.sent.sum();
	}

	/**
	 * Events above the maximum per second.
	 * @return how many
	 */
	long aboveRate() {
		return this.aboveRate.sum();
	}

	/**
	 * Events for which there was no room, because a sink was too slow.
	 * @return how many
	 */
	long full() {
		return this.full.sum();
	}

	/**
	 * Events that a sink has failed to receive.
	 * @return how many
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
