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

	/** Record that the source was read, and that it has a document or none. */
	void read() {
		unchanged();
		this.first.countDown();
	}

	/**
	 * Record that the source was read, without a result that ends the wait of the start.
	 */
	void unchanged() {
		this.readNanos = this.time.nanos();
		this.trouble = Optional.empty();
	}

	/**
	 * Record that the source could not be read.
	 * @param reason the reason
	 * @param lasting whether to end the wait of the start
	 */
	void failed(String reason, boolean lasting) {
		this.trouble = Optional.of(reason);
		if (lasting) {
			this.first.countDown();
		}
	}

	/**
	 * Reset the time of the last reading, because the time while the source was stopped
	 * does not count.
	 */
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
