package dev.ratelimit.client;

import java.time.Duration;
import java.time.Instant;

import reactor.core.publisher.Mono;

/**
 * The clock of HTTP client retries, which tests can replace. Implementations must be
 * thread-safe.
 *
 * @since 0.1.0
 */
public interface RetryTime {

	/**
	 * Return the current time, to compare with dates that servers send.
	 * @return the time
	 */
	Instant now();

	/**
	 * Return a monotonic clock, such as {@link System#nanoTime()}.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Block the calling thread, for {@code RestClient}.
	 * @param wait the duration, positive
	 * @throws InterruptedException if the thread is interrupted
	 */
	void sleep(Duration wait) throws InterruptedException;

	/**
	 * Complete after a delay without blocking a thread, for {@code WebClient}.
	 * @param wait the duration, positive
	 * @return an empty publisher that completes after the delay
	 */
	Mono<Void> delay(Duration wait);

	/**
	 * Return the system clocks.
	 * @return the time
	 */
	static RetryTime system() {
		return SystemTime.INSTANCE;
	}

}
