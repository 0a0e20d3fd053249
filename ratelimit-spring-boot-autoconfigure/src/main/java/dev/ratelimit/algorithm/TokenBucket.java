package dev.ratelimit.algorithm;

import java.util.Optional;

import dev.ratelimit.Limit;

/**
 * Refills a bucket with tokens at a constant rate until it is full. A charge takes
 * tokens. The default algorithm.
 */
final class TokenBucket implements Algorithm {

	static final String ID = "token-bucket";

	@Override
	public String id() {
		return ID;
	}

	@Override
	public boolean refillsEvenly() {
		return true;
	}

	@Override
	public boolean givesCredit() {
		return true;
	}

	@Override
	public LimitCalculator calculator(Limit limit) {
		long periodMillis = limit.period().toMillis();
		Refill refill = Refill.of(limit.quantity(), periodMillis);
		return new TokenBucketCalculator(limit.burst(), limit.credit(), limit.quantity(), refill,
				precisionNote(limit, refill, periodMillis));
	}

	private static Optional<String> precisionNote(Limit limit, Refill refill, long periodMillis) {
		if (refill.tokens() * (double) periodMillis == limit.quantity() * (double) refill.millis()) {
			return Optional.empty();
		}
		return Optional.of(limit + " is counted as " + refill.tokens() + " per " + refill.millis()
				+ " ms, which is slower by less than 0.01 %");
	}

}
