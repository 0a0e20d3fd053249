package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;

/**
 * Counts units in windows that follow one another, each from zero. Around the end of a
 * window, up to twice the limit may pass within the length of one.
 */
final class FixedWindow implements Algorithm {

	static final String ID = "fixed-window";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public boolean followsCalendar() {
		return true;
	}

	@Override
	public LimitCalculator arithmetic(Limit limit) {
		Requirements.noBurst(limit);
		Windows windows = limit.calendar()
			.<Windows>map(CalendarWindows::new)
			.orElseGet(() -> new EvenWindows(limit.period().toMillis()));
		return new FixedWindowCalculator(limit.quantity(), windows);
	}

}
