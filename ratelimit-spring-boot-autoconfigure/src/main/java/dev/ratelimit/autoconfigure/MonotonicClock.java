package dev.ratelimit.autoconfigure;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.store.Time;

/**
 * Milliseconds since the arithmetic's epoch, by a clock that nobody sets.
 */
final class MonotonicClock implements LongSupplier {

	private final long startMillis = WallClock.system().source().millis()
			- TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS);

	private final Time time;

	private final long startNanos;

	MonotonicClock(Time time) {
		this.time = time;
		this.startNanos = time.nanos();
	}

	@Override
	public long getAsLong() {
		return this.startMillis + TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - this.startNanos);
	}

}
