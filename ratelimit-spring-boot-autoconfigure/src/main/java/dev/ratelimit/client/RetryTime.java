package dev.ratelimit.client;

import java.time.Duration;
import java.time.Instant;

import reactor.core.publisher.Mono;

/**
 * The time that clients wait by; tests put their own in its place. Implementations must
 * be thread-safe.
 *
 * @since 0.1.0
 */
public interface RetryTime {

	/**
	 * The time of day, to which dates of servers are compared.
	 * @return the time
	 */
	Instant now();

	/**
	 * A clock that nobody sets, as that of {@link System#nanoTime()}.
	 * @return nanoseconds since whenever
	 */
	long nanoTime();

	/**
	 * Hold the calling thread, for {@code RestClient}.
	 * @param wait how long, positive
	 * @throws InterruptedException if the thread is interrupted
	 */
	void sleep(Duration wait) throws InterruptedException;

	/**
	 * Complete after a while without holding a thread, for {@code WebClient}.
	 * @param wait how long, positive
	 * @return empty, when the time has come
	 */
	Mono<Void> delay(Duration wait);

	/**
	 * The clocks of this machine.
	 * @return the time
	 */
	static RetryTime system() {
		return SystemTime.INSTANCE;
	}

}
