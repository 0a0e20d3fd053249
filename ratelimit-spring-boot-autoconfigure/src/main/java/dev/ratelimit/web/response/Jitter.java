package dev.ratelimit.web.response;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;

/**
 * Internal: whole seconds that are added to waits, so that clients with the same wait do
 * not retry at the same time. Waits are never shortened. Thread-safe.
 *
 * @param mostSeconds the maximum addition, at least 0
 * @param random returns a number that is at least 0 and below a bound
 */
public record Jitter(int mostSeconds, IntUnaryOperator random) {

	/** No jitter. */
	public static final Jitter NONE = of(0);

	public Jitter {
		if (mostSeconds < 0) {
			throw new IllegalArgumentException("the jitter (" + mostSeconds + " s) must not be negative");
		}
	}

	/**
	 * Create an unpredictable jitter.
	 * @param mostSeconds the maximum addition, at least 0
	 * @return the jitter
	 */
	public static Jitter of(int mostSeconds) {
		return new Jitter(mostSeconds, (bound) -> ThreadLocalRandom.current().nextInt(bound));
	}

	long seconds() {
		return (this.mostSeconds == 0) ? 0 : this.random.applyAsInt(this.mostSeconds + 1);
	}

}
