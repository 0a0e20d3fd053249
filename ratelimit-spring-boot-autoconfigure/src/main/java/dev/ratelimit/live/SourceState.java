package dev.ratelimit.live;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.Time;

/**
 * The time and result of the last reading of a source. Thread-safe.
 */
final class SourceState {

	private final Time time;

	private final CountDownLatch first = new CountDownLatch(1);

	private volatile long readNanos;

	private volatile Optional<String> trouble = Optional.empty();

	SourceState(Time time) {
		this.time = time;
		this.readNanos = time.nanos();
	}

	/** The source has a document, or none, as it should. */
	void read() {
		unchanged();
		this.first.countDown();
	}

	/**
	 * The source was read, but has not reported anything yet that a start could wait for.
	 */
	void unchanged() {
		this.readNanos = this.time.nanos();
		this.trouble = Optional.empty();
	}

	/**
	 * The source could not be read.
	 * @param reason the reason
	 */
	void failed(String reason) {
		this.trouble = Optional.of(reason);
		this.first.countDown();
	}

	/** A source that starts again was not silent meanwhile. */
	void restart() {
		this.readNanos = this.time.nanos();
	}

	boolean awaitFirst(long millis) {
		try {
			return this.first.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	long ageMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - this.readNanos);
	}

	Optional<String> trouble() {
		return this.trouble;
	}

}
