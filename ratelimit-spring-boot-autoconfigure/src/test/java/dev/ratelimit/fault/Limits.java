package dev.ratelimit.fault;

import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * Uses up limits, without a load.
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
	 * Ask until the limit refuses.
	 * @return how much was left of it
	 */
	static long useUp(Instance instance, String caller) {
		try (HttpCaller http = new HttpCaller(instance.port())) {
			return Stream.generate(() -> http.get(Target.CLOSED, caller))
				.limit(3 * Target.LIMIT)
				.takeWhile((sample) -> sample.status() != 429)
				.filter(Sample::admitted)
				.count();
		}
	}

}
