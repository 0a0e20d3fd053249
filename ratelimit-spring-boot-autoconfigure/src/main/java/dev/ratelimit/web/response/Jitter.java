package dev.ratelimit.web.response;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;

/**
 * Internal: whole seconds that are added to waits, so that clients with the same wait do
 * not come back at once. It never shortens a wait. Thread-safe.
 *
 * @param mostSeconds the most that is added, at least 0
 * @param random from a bound, a number that is at least 0 and below the bound
 */
public record Jitter(int mostSeconds, IntUnaryOperator random) {

	/** Nothing is added. */
	public static final Jitter NONE = of(0);

	public Jitter {
		if (mostSeconds < 0) {
			throw new IllegalArgumentException("the jitter (" + mostSeconds + " s) must not be negative");
		}
	}

	/**
	 * A jitter that cannot be predicted.
	 * @param mostSeconds the most that is added, at least 0
	 * @return the jitter
	 */
	public static Jitter of(int mostSeconds) {
		return new Jitter(mostSeconds, (bound) -> ThreadLocalRandom.current().nextInt(bound));
	}

	long seconds() {
		return (this.mostSeconds == 0) ? 0 : this.random.applyAsInt(this.mostSeconds + 1);
	}

}
