package dev.ratelimit.algorithm;

import java.util.Optional;

import dev.ratelimit.Limit;

/**
 * A queue that releases one unit in each interval, which consists of whole microseconds
 * as with {@link Gcra}. The burst is the capacity of the queue: the first unit is
 * released immediately, and each following unit one interval later, so that the maximum
 * wait is one interval less than the burst has. A charge of several units needs capacity
 * for all of them, is released with its first unit, and delays the following charges by
 * all of its units.
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
	public LimitCalculator calculator(Limit limit) {
		return new LeakyBucketCalculator(limit.burst(), limit.quantity(), Gcra.interval(limit),
				Gcra.precisionNote(limit));
	}

	/**
	 * The calculator of {@link LeakyBucket}, which counts like GCRA. A request behind
	 * other units is held until they have drained. The state is the time in microseconds
	 * at which the queue will be empty.
	 */
	private static final class LeakyBucketCalculator extends GcraCalculator {

		LeakyBucketCalculator(long capacity, long quantity, Refill interval, Optional<String> remark) {
			super(capacity, quantity, interval, remark);
		}

		// Units cannot be leased, because each unit has a place in the queue.
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
