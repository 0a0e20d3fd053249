package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Remembers when each unit was taken, for one period: exact over any period, and as large
 * as the limit.
 */
final class SlidingLog implements Algorithm {

	static final String ID = "sliding-log";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		Requirements.noBurst(limit);
		Requirements.require(limit.quantity() <= SlidingLogCalculator.MOST,
				ID + " supports at most 10,000 units, because it stores an entry for each; use sliding-window");
		return new SlidingLogCalculator(limit.quantity(), limit.period().toMillis());
	}

}
