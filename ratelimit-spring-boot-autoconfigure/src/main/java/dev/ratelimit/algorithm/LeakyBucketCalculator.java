package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of {@link LeakyBucket}: that of GCRA, and whoever finds units ahead is
 * held until they have gone. The state is the time in microseconds when the queue will be
 * empty.
 */
final class LeakyBucketCalculator extends GcraCalculator {

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
