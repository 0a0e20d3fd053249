package dev.ratelimit.fault;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;

/**
 * Exhausts limits without a load.
 */
final class Limits {

	private Limits() {
	}

	static void exhaust(Instance instance, String caller) {
		try (HttpCaller http = new HttpCaller(instance.port())) {
			Awaitility.await().until(() -> http.get(Target.EXHAUSTED, caller).status() == 429);
		}
	}

	/**
	 * Charge until the limit rejects.
	 * @return the number of units that were left
	 */
	static long useUp(Instance instance, String caller) {
		AtomicLong allowed = new AtomicLong();
		try (HttpCaller http = new HttpCaller(instance.port())) {
			// Earlier failures in the window of the breaker may still open it, which
			// causes status 503.
			Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> {
				Sample sample = http.get(Target.CLOSED, caller);
				allowed.addAndGet((sample.allowed()) ? 1 : 0);
				return sample.status() == 429;
			});
		}
		return allowed.get();
	}

}
