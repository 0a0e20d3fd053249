package dev.ratelimit.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that tests advance. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ManualClock {

	/** The time at the start of a test. */
	public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicReference<Instant> now = new AtomicReference<>(START);

	private final AtomicLong advancedNanos = new AtomicLong();

	/**
	 * Return the current time of the clock.
	 * @return the time
	 */
	public Instant instant() {
		return this.now.get();
	}

	/**
	 * Advance the clock.
	 * @param time the duration, not negative
	 */
	public void advance(Duration time) {
		if (time.isNegative()) {
			throw new IllegalArgumentException("time must not be negative: " + time);
		}
		this.now.updateAndGet((now) -> now.plus(time));
		this.advancedNanos.addAndGet(time.toNanos());
	}

	/**
	 * Return the sum of all advances, also those before the last reset.
	 * @return the sum in nanoseconds
	 */
	long advancedNanos() {
		return this.advancedNanos.get();
	}

	/**
	 * Reset the clock to the start.
	 */
	void reset() {
		this.now.set(START);
	}

}
