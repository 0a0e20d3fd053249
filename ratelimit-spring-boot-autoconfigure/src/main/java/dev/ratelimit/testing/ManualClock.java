package dev.ratelimit.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until it is set. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ManualClock {

	/** Where the clock stands at the beginning of a test. */
	public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicReference<Instant> now = new AtomicReference<>(START);

	/**
	 * The time.
	 * @return what the clock shows
	 */
	public Instant instant() {
		return this.now.get();
	}

	/**
	 * Go on.
	 * @param time for how long, not negative
	 */
	public void advance(Duration time) {
		if (time.isNegative()) {
			throw new IllegalArgumentException("time must not be negative: " + time);
		}
		this.now.updateAndGet((now) -> now.plus(time));
	}

	/**
	 * Back to the start.
	 */
	void reset() {
		this.now.set(START);
	}

}
