package dev.ratelimit.gate;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Internal: how long a limit holds an allowed request, such as a leaky bucket does.
 * Immutable.
 *
 * @param untilNanos until when
 * @param clock the clock that tells the time
 */
public record Hold(long untilNanos, LongSupplier clock) {

	/** No limit holds the request. */
	public static final Hold NONE = new Hold(0, () -> 0);

	/**
	 * A hold that begins now.
	 * @param delayMillis how long it lasts
	 * @param clock the clock
	 * @return the hold
	 */
	public static Hold of(long delayMillis, LongSupplier clock) {
		return (delayMillis == 0) ? NONE
				: new Hold(clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(delayMillis), clock);
	}

	/**
	 * How long the request is still to be held.
	 * @return nanoseconds; 0 if it may go on
	 */
	public long leftNanos() {
		return Math.max(0, this.untilNanos - this.clock.getAsLong());
	}

	Hold orLater(Hold other) {
		if (this == NONE || other == NONE) {
			return (this == NONE) ? other : this;
		}
		return (other.untilNanos - this.untilNanos > 0) ? other : this;
	}

}
