package dev.ratelimit.algorithm;

/**
 * Tokens per millisecond as a fraction in lowest terms.
 *
 * @param tokens the numerator, 1 to {@link #MAX_TOKENS}
 * @param millis the denominator, at least 1
 */
record Refill(long tokens, long millis) {

	/**
	 * The maximum numerator, so that the product of time and tokens is exact in Lua for
	 * decades.
	 */
	static final long MAX_TOKENS = 10_000;

	/**
	 * Return the refill of a number of tokens per period, or the nearest slower refill
	 * with a numerator within bounds.
	 * @param quantity the tokens per period
	 * @param periodMillis the period
	 * @return the refill, never faster than requested
	 */
	static Refill of(long quantity, long periodMillis) {
		long divisor = gcd(quantity, periodMillis);
		Refill exact = new Refill(quantity / divisor, periodMillis / divisor);
		return (exact.tokens <= MAX_TOKENS) ? exact : exact.nearestBelow();
	}

	private Refill nearestBelow() {
		if (this.tokens > Math.multiplyExact(MAX_TOKENS, this.millis)) {
			throw new IllegalArgumentException("the rate is higher than 10,000,000/s");
		}
		Refill best = new Refill(1, ceilDiv(this.millis, this.tokens));
		for (long candidate = 2; candidate <= MAX_TOKENS; candidate++) {
			Refill next = new Refill(candidate, ceilDiv(Math.multiplyExact(candidate, this.millis), this.tokens));
			best = (next.isFasterThan(best)) ? next : best;
		}
		return best;
	}

	private boolean isFasterThan(Refill other) {
		return Math.multiplyExact(this.tokens, other.millis) > Math.multiplyExact(other.tokens, this.millis);
	}

	static long ceilDiv(long dividend, long divisor) {
		// Avoids the division for a bucket without a deficit.
		return (dividend == 0) ? 0 : -Math.floorDiv(-dividend, divisor);
	}

	private static long gcd(long first, long second) {
		return (second == 0) ? first : gcd(second, first % second);
	}

	@Override
	public String toString() {
		return this.tokens + "/" + this.millis;
	}

}
