package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * Counts concurrent requests. Slots belong to the instance that holds them: each request
 * takes one, which ends when it is given back by a settlement, or with all others of its
 * instance once that has not renewed them for the limit's period.
 */
final class Concurrency implements Algorithm {

	static final String ID = "concurrency";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public Policy.Unit unit() {
		return Policy.Unit.CONCURRENT_REQUESTS;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		Requirements.noBurst(limit);
		Requirements.require(limit.quantity() <= ConcurrencyCalculator.MOST,
				ID + " supports at most 1,000,000,000,000 concurrent requests, because more cannot be counted exactly");
		return new ConcurrencyCalculator(limit.quantity(), limit.period().toMillis(), 0);
	}

}
