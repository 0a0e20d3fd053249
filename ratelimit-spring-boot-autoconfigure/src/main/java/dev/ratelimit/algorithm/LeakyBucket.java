package dev.ratelimit.algorithm;

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

}
