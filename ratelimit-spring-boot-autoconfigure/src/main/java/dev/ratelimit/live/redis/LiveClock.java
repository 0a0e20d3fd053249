package dev.ratelimit.live.redis;

import java.time.InstantSource;
import java.util.Arrays;

import dev.ratelimit.store.Time;
import dev.ratelimit.store.redis.RedisClock;

/**
 * Internal: the clock that activations and switches use. A reply of the server shows the
 * offset of its clock from the monotonic clock, plus the latency of the call. The
 * smallest value of the last eight replies is the best estimate. If a reply shows a
 * larger offset even without the latency, the clock was changed, and the estimate starts
 * again. Thread-safe.
 */
public final class LiveClock {

	private static final int REPLIES = 8;

	/** The tolerance, because both clocks are read in whole milliseconds. */
	private static final long SLACK_MILLIS = 2;

	private final RedisClock clock;

	private final InstantSource system;

	private final Time time;

	private final long[] ahead = new long[REPLIES];

	private int replies;

	private volatile long aheadMillis;

	/** The minimum offset by the last reply, computed from the time of its receipt. */
	private volatile long leastAheadMillis;

	private volatile boolean known;

	LiveClock(RedisClock clock, InstantSource system, Time time) {
		this.clock = clock;
		this.system = system;
		this.time = time;
	}

	/**
	 * Return the time.
	 * @return milliseconds since the epoch; by the system's clock until the server's is
	 * known, or if each instance uses its own
	 */
	public long nowMillis() {
		return (this.known) ? millis(this.time.nanos()) + this.aheadMillis : this.system.millis();
	}

	/**
	 * Return a time that the server's clock has certainly reached.
	 * @return milliseconds since the epoch; by the system's clock until the server's is
	 * known, or if each instance uses its own
	 */
	long earliestMillis() {
		return (this.known) ? millis(this.time.nanos()) + this.leastAheadMillis : this.system.millis();
	}

	/**
	 * Whether all instances use one clock.
	 * @return whether they use the clock of the server
	 */
	boolean shared() {
		return this.clock == RedisClock.SERVER;
	}

	long nanos() {
		return this.time.nanos();
	}

	/**
	 * Update the offset from a reply that was just received.
	 * @param serverMillis the server's time in the reply
	 * @param sentNanos the time at which the call was sent
	 */
	synchronized void saw(long serverMillis, long sentNanos) {
		if (!shared()) {
			return;
		}
		long least = serverMillis - millis(this.time.nanos()) - SLACK_MILLIS;
		if (this.known && least > this.aheadMillis) {
			this.replies = 0;
		}
		this.leastAheadMillis = least;
		this.ahead[this.replies++ % REPLIES] = serverMillis - millis(sentNanos);
		this.aheadMillis = Arrays.stream(this.ahead, 0, Math.min(this.replies, REPLIES)).min().orElseThrow();
		this.known = true;
	}

	private static long millis(long nanos) {
		return Math.floorDiv(nanos, 1_000_000L);
	}

}
