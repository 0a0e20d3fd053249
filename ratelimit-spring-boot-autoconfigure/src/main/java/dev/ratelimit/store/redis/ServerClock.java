package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.Time;

/**
 * A server's clock, estimated from its replies. A reply shows the time by which the
 * server's clock is ahead of the instance's monotonic clock, plus the latency of the
 * call. The minimum of the last second is the best estimate. Thread-safe.
 */
final class ServerClock {

	/** A time after the time of any server. */
	static final long NEVER = (1L << 53) - 1;

	private static final long LEARN_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** The tolerance, because both clocks are read in whole milliseconds. */
	private static final long SLACK_MILLIS = 2;

	private final InstantSource system;

	private final Time time;

	private volatile long aheadMillis;

	private volatile long leastAheadMillis;

	private volatile long learntNanos;

	private volatile boolean known;

	/**
	 * Create a clock without an estimate.
	 * @param system the system's clock
	 * @param time the monotonic time
	 */
	ServerClock(InstantSource system, Time time) {
		this.system = system;
		this.time = time;
	}

	/**
	 * The server's time.
	 * @return milliseconds since {@link LimitCalculator#EPOCH_SECONDS}; by the system's
	 * clock until the server's is known
	 */
	long nowMillis() {
		return (this.known) ? millis(this.time.nanos()) + this.aheadMillis : systemMillis();
	}

	/**
	 * The time of the system's clock.
	 * @return milliseconds since {@link LimitCalculator#EPOCH_SECONDS}
	 */
	long systemMillis() {
		return millisOf(this.system);
	}

	static long millisOf(InstantSource system) {
		return system.millis() - TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS);
	}

	/**
	 * The monotonic time.
	 * @return the nanoseconds of {@link Time}
	 */
	long nanos() {
		return this.time.nanos();
	}

	/**
	 * Return the server's time of a moment.
	 * @param momentNanos the moment, by {@link #nanos()}
	 * @return a time that is certainly not before it, {@link #NEVER} while the server's
	 * clock is not known
	 */
	long latestMillisAt(long momentNanos) {
		return (this.known) ? millis(momentNanos) + this.aheadMillis + SLACK_MILLIS : NEVER;
	}

	/**
	 * Return the server's time of a moment.
	 * @param momentNanos the moment, by {@link #nanos()}
	 * @return a time that is not after it; by the system's clock until the server's is
	 * known
	 */
	long earliestMillisAt(long momentNanos) {
		return (this.known) ? millis(momentNanos) + this.leastAheadMillis - SLACK_MILLIS : systemMillisAt(momentNanos);
	}

	/**
	 * The time of the system's clock at a moment.
	 * @param momentNanos the moment, by {@link #nanos()}
	 * @return milliseconds since {@link LimitCalculator#EPOCH_SECONDS}
	 */
	long systemMillisAt(long momentNanos) {
		return systemMillis() - millis(nanos() - momentNanos);
	}

	/**
	 * Whether the server's clock is known.
	 * @return false until it has replied
	 */
	boolean isKnown() {
		return this.known;
	}

	/**
	 * Return the time by which the server's clock is ahead of the system's, plus the
	 * latency of a call.
	 * @return milliseconds, negative if it is behind; empty until it is known
	 */
	OptionalLong skewMillis() {
		return (this.known) ? OptionalLong.of(nowMillis() - systemMillis()) : OptionalLong.empty();
	}

	/**
	 * Update the estimate from a reply that came in time.
	 * @param serverMillis the server's time in the reply
	 * @param sentNanos the time at which the call was sent
	 */
	void saw(long serverMillis, long sentNanos) {
		long ahead = serverMillis - millis(sentNanos);
		if (!this.known || ahead < this.aheadMillis || sentNanos - this.learntNanos > LEARN_AGAIN_NANOS) {
			set(ahead, sentNanos);
		}
	}

	/**
	 * Forget the estimate, because the server's clock has jumped.
	 * @param serverMillis the server's time in a reply
	 * @param sentNanos the time at which the call was sent
	 */
	void reset(long serverMillis, long sentNanos) {
		set(serverMillis - millis(sentNanos), sentNanos);
	}

	private void set(long ahead, long sentNanos) {
		this.aheadMillis = ahead;
		// The server has read its time after the call was sent and before the reply
		// arrived.
		this.leastAheadMillis = ahead - millis(nanos() - sentNanos);
		this.learntNanos = sentNanos;
		this.known = true;
	}

	private static long millis(long nanos) {
		return Math.floorDiv(nanos, 1_000_000L);
	}

}
