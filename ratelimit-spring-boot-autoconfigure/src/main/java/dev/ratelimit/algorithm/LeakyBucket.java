package dev.ratelimit.algorithm;

import java.util.Optional;

import dev.ratelimit.Limit;

/**
 * A queue that lets one unit go in each interval, whole microseconds as with
 * {@link Gcra}. The burst is how many units have room: the first goes at once, and each
 * behind it one interval later, so that the longest wait is one interval less than the
 * burst has. A charge of several units needs room for all of them, goes when its first
 * does, and keeps those behind it waiting for all.
 */
final class LeakyBucket implements Algorithm {

	static final String ID = "leaky-bucket";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public boolean refillsEvenly() {
		return true;
	}

	@Override
	public boolean holdsRequests() {
		return true;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		return new LeakyBucketCalculator(limit.burst(), limit.quantity(), Gcra.interval(limit),
				Gcra.precisionNote(limit));
	}

	/**
	 * The arithmetic of {@link LeakyBucket}: that of GCRA; a request that finds units
	 * ahead is held until they have drained. The state is the time in microseconds when
	 * the queue will be empty.
	 */
	private static final class LeakyBucketCalculator extends GcraCalculator {

		LeakyBucketCalculator(long capacity, long quantity, Refill interval, Optional<String> remark) {
			super(capacity, quantity, interval, remark);
		}

		// Each unit has a place in the queue.
		@Override
		public boolean supportsLeasing() {
			return false;
		}

		@Override
		public BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis) {
			BucketSnapshot reading = super.read(seen, cost, charged, nowMillis);
			return (charged) ? reading.delayed(fullInMillis(seen, nowMillis)) : reading;
		}

	}

}
