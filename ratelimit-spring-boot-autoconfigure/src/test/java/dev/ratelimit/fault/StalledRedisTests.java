package dev.ratelimit.fault;

import java.time.Duration;
import java.util.Locale;

import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients wait while Redis stands still, beside what they wait with Redis. A busy
 * machine only ever adds to a wait: the shortest of a few attempts are compared.
 */
@Tag("long")
class StalledRedisTests {

	private static final int ATTEMPTS = 8;

	private static final int PER_SECOND = 250;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final double DEADLINE_MILLIS = 50;

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void requestsWaitForTheDeadlineAtMostAndForNothingOnceTheBreakerIsOpen(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start();
				Instance instance = Instance.start(stack, Instance.redis(redis.host(), redis.port()))) {
			warmUp(instance);
			Waits waits = measure(redis, instance);
			for (int i = 1; i < ATTEMPTS && !waits.hold(); i++) {
				waits = waits.orShorter(measure(redis, instance));
			}
			System.out.println(stack + " " + waits);
			assertThat(waits).matches(Waits::hold);
		}
	}

	private static void warmUp(Instance instance) {
		try (HttpLoad load = HttpLoad.start(instance.port(), "warm-up", 2 * PER_SECOND)) {
			load.lasts(SECOND.multipliedBy(2));
		}
	}

	private static Waits measure(TestRedis redis, Instance instance) {
		instance.awaitHealthy();
		try (HttpLoad load = HttpLoad.start(instance.port(), "stalled", PER_SECOND, Target.OPEN)) {
			load.lasts(SECOND.multipliedBy(2));
			long stopNanos = System.nanoTime();
			redis.pause();
			load.lasts(SECOND);
			Awaitility.await().until(() -> instance.status().circuit() == State.OPEN);
			long openNanos = System.nanoTime();
			load.lasts(SECOND);
			load.stop();
			long second = SECOND.toNanos();
			return new Waits(HttpLoad.p99(load.between(stopNanos - second, stopNanos)),
					HttpLoad.p99(load.between(stopNanos, stopNanos + second)),
					HttpLoad.p99(load.between(openNanos, openNanos + second)));
		}
		finally {
			redis.resume();
		}
	}

	/**
	 * The p99, in milliseconds.
	 *
	 * @param healthy in the second before
	 * @param first in the first second after Redis stopped
	 * @param open in a second with the breaker open
	 */
	private record Waits(double healthy, double first, double open) {

		Waits orShorter(Waits other) {
			return new Waits(Math.min(this.healthy, other.healthy), Math.min(this.first, other.first),
					Math.min(this.open, other.open));
		}

		boolean hold() {
			return this.first <= DEADLINE_MILLIS + 20 && this.open <= this.healthy + 5;
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT,
					"p99: %.1f ms with Redis, %.1f ms in the first second without, %.1f ms with the breaker open",
					this.healthy, this.first, this.open);
		}

	}

}
