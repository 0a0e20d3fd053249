package dev.ratelimit.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.Time;

/**
 * A clock that tests can advance.
 */
final class MovedTime implements Time {

	private final AtomicLong aheadNanos = new AtomicLong();

	@Override
	public long nanos() {
		return System.nanoTime() + this.aheadNanos.get();
	}

	void advance(Duration time) {
		this.aheadNanos.addAndGet(time.toNanos());
	}

}
