package dev.ratelimit.web;

import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: how many requests had the header with their level. Thread-safe.
 */
public final class LevelHeaderCounts {

	private final LongAdder believed = new LongAdder();

	private final LongAdder ignored = new LongAdder();

	void count(boolean trusted) {
		((trusted) ? this.believed : this.ignored).increment();
	}

	/**
	 * Requests of trusted upstreams.
	 * @return how many had a level
	 */
	public long believed() {
		return this.believed.sum();
	}

	/**
	 * Requests of other peers.
	 * @return how many had the header
	 */
	public long ignored() {
		return this.ignored.sum();
	}

}
