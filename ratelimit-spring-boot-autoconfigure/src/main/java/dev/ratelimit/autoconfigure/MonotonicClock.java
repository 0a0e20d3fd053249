package dev.ratelimit.autoconfigure;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.algorithm.Arithmetic;

/**
 * Milliseconds since the arithmetic's epoch, by a clock that nobody sets.
 */
final class MonotonicClock implements LongSupplier {

	private final long startMillis = System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(Arithmetic.EPOCH_SECONDS);

	private final long startNanos = System.nanoTime();

	@Override
	public long getAsLong() {
		return this.startMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.startNanos);
	}

}
