package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Counts units in fixed windows, and of the window before takes the part that a window
 * sliding over both would still hold, as if its units had come evenly. Two numbers for
 * any limit; how far that is off depends on how unevenly units come.
 */
final class SlidingWindow implements Algorithm {

	static final String ID = "sliding-window";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		Requirements.noBurst(limit);
		return new SlidingWindowCalculator(limit.quantity(), new EvenWindows(limit.period().toMillis()));
	}

}
