package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * Counts requests under way. Each takes a lease, which ends when it is given back by a
 * settlement, or after the limit's period if nobody does. It is a log whose entries leave
 * early: leases of one millisecond are alike, and one that has ended cannot be given back
 * again.
 */
final class Concurrency implements Algorithm {

	static final String ID = "concurrency";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public String script() {
		return SlidingLog.ID;
	}

	@Override
	public Policy.Unit unit() {
		return Policy.Unit.CONCURRENT_REQUESTS;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		Requirements.noBurst(limit);
		Requirements.require(limit.quantity() <= SlidingLogCalculator.MOST,
				ID + " supports at most 10,000 concurrent requests, because it stores an entry for each");
		return new SlidingLogCalculator(limit.quantity(), limit.period().toMillis());
	}

}
