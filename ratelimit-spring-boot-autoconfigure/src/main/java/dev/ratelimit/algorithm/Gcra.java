package dev.ratelimit.algorithm;

import java.util.Optional;

import dev.ratelimit.Limit;

/**
 * The generic cell rate algorithm: units are due one interval after another, and may
 * arrive early by at most the burst. It is the token bucket with an interval of whole
 * microseconds for each unit, rounded up so that it is never faster than the limit.
 *
 * @see <a href= "https://www.itu.int/rec/T-REC-I.371">ITU-T I.371</a>
 */
final class Gcra implements Algorithm {

	static final String ID = "gcra";

	private static final long MICROS = 1000;

	/**
	 * The maximum number of units per millisecond. With it, an interval has three digits,
	 * and its rounding error is at most 1 %.
	 */
	private static final long MAX_PER_MILLI = 10;

	@Override
	public String id() {
		return ID;
	}

	@Override
	public boolean refillsEvenly() {
		return true;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		return new GcraCalculator(limit.burst(), limit.quantity(), interval(limit), precisionNote(limit));
	}

	// The interval for one unit in microseconds, as tokens per millisecond.
	static Refill interval(Limit limit) {
		long periodMillis = limit.period().toMillis();
		Requirements.require(limit.quantity() <= Math.multiplyExact(MAX_PER_MILLI, periodMillis), limit.algorithm()
				+ " supports at most 10,000/s, because it counts whole microseconds; use token-bucket");
		return new Refill(MICROS, Refill.ceilDiv(Math.multiplyExact(MICROS, periodMillis), limit.quantity()));
	}

	static Optional<String> precisionNote(Limit limit) {
		long periodMicros = limit.period().toMillis() * MICROS;
		return (periodMicros % limit.quantity() == 0) ? Optional.empty() : Optional.of(limit + " is counted as 1 per "
				+ interval(limit).millis() + " microseconds, which is slower by less than 1 microsecond per unit");
	}

}
