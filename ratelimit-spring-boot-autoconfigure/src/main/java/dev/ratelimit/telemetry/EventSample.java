package dev.ratelimit.telemetry;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sample of decisions that become events. Thread-safe.
 */
final class EventSample {

	/** The maximum value of the property for events per second. */
	static final int MAX_PER_SECOND = 100_000;

	/**
	 * The number of bits of the count, sufficient for the maximum. The higher bits
	 * contain the second.
	 */
	private static final int COUNT_BITS = 20;

	private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

	private final double allowed;

	private final double denied;

	private final int maxPerSecond;

	private final AtomicLong secondAndCount = new AtomicLong(Long.MIN_VALUE);

	/**
	 * The end of the last second that was full. Events before this time are not counted.
	 */
	private volatile long fullBeforeNanos = Long.MIN_VALUE;

	/**
	 * Create a sample.
	 * @param allowed the ratio of the decisions that allow a request
	 * @param denied the ratio of the decisions that reject a request
	 * @param maxPerSecond the maximum number of events in one second
	 */
	EventSample(double allowed, double denied, int maxPerSecond) {
		this.allowed = allowed;
		this.denied = denied;
		this.maxPerSecond = maxPerSecond;
	}

	boolean includesAllowed() {
		return this.allowed > 0;
	}

	boolean includes(boolean allowed) {
		return includes(allowed, ThreadLocalRandom.current());
	}

	boolean includes(boolean allowed, Random random) {
		double ratio = (allowed) ? this.allowed : this.denied;
		return ratio >= 1 || (ratio > 0 && random.nextDouble() < ratio);
	}

	/**
	 * Return the number of decisions that an event represents.
	 * @param allowed whether the event is for a decision that allows a request
	 * @return 1 divided by the ratio of these decisions, which is not 0
	 */
	double weight(boolean allowed) {
		return 1 / ((allowed) ? this.allowed : this.denied);
	}

	/**
	 * Count an event, unless the maximum of its second is reached. If events of a later
	 * second have already been counted, the event is counted in the later second.
	 * @param nanos the time of the event
	 * @return whether the event was counted
	 */
	boolean tryCount(long nanos) {
		return nanos >= this.fullBeforeNanos && tryCountExactly(nanos);
	}

	private boolean tryCountExactly(long nanos) {
		long second = Math.floorDiv(nanos, NANOS_PER_SECOND) << COUNT_BITS;
		while (true) {
			long before = this.secondAndCount.get();
			boolean first = second > (before & ~COUNT_MASK);
			if (!first && (before & COUNT_MASK) >= this.maxPerSecond) {
				this.fullBeforeNanos = ((before >> COUNT_BITS) + 1) * NANOS_PER_SECOND;
				return false;
			}
			if (this.secondAndCount.compareAndSet(before, (first) ? second | 1 : before + 1)) {
				return true;
			}
		}
	}

}
