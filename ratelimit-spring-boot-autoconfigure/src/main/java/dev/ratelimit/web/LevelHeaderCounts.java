package dev.ratelimit.web;

import java.util.concurrent.atomic.LongAdder;

/**
 * Internal: counts of requests with the header of their level. Thread-safe.
 */
public final class LevelHeaderCounts {

	private final LongAdder believed = new LongAdder();

	private final LongAdder ignored = new LongAdder();

	void count(boolean trusted) {
		((trusted) ? this.believed : this.ignored).increment();
	}

	/**
	 * Return the number of requests of trusted upstreams with a level.
	 * @return the number
	 */
	public long believed() {
		return this.believed.sum();
	}

	/**
	 * Return the number of requests of other peers with the header.
	 * @return the number
	 */
	public long ignored() {
		return this.ignored.sum();
	}

}
