package dev.ratelimit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients wait while Redis stands still, beside what they wait with Redis, and what
 * they wait under no limit at the same time: that is the machine's. Each figure is the
 * median of all attempts, and what is printed is what is checked.
 */
@Tag("scenario")
@Tag("long")
class StalledRedisTests {

	private static final int ATTEMPTS = 5;

	private static final int PER_SECOND = 400;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final double DEADLINE_MILLIS = 50;

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void requestsWaitForTheDeadlineAtMostAndForNothingOnceTheBreakerIsOpen(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start();
				Instance instance = Instance.start(stack, Instance.redis(redis.host(), redis.port()))) {
			warmUp(instance);
			List<Attempt> attempts = new ArrayList<>();
			for (int i = 0; i < ATTEMPTS; i++) {
				attempts.add(measure(redis, instance));
			}
			Waits healthy = Waits.median(attempts, Attempt::healthy);
			Waits first = Waits.median(attempts, Attempt::first);
			Waits open = Waits.median(attempts, Attempt::open);
			System.out.println(stack + ", with Redis: " + healthy + "; first second without: " + first
					+ "; breaker open: " + open);
			assertThat(first.limitedP99()).isLessThanOrEqualTo(first.freeP99() + DEADLINE_MILLIS + 20);
			// Far from any wait for Redis; and the half of them wait for nothing at all.
			assertThat(open.limitedP99()).isLessThanOrEqualTo(open.freeP99() + DEADLINE_MILLIS / 2);
			assertThat(open.limitedP50()).isLessThanOrEqualTo(open.freeP50() + 5);
		}
	}

	private static void warmUp(Instance instance) {
		try (HttpLoad load = HttpLoad.start(instance.port(), "warm-up", 2 * PER_SECOND)) {
			load.lasts(SECOND.multipliedBy(2));
		}
	}

	private static Attempt measure(TestRedis redis, Instance instance) {
		instance.awaitHealthy();
		try (HttpLoad load = HttpLoad.start(instance.port(), "stalled", PER_SECOND, Target.OPEN, Target.FREE)) {
			load.lasts(SECOND.multipliedBy(2));
			long stopNanos = System.nanoTime();
			redis.pause();
			load.lasts(SECOND);
			Awaitility.await().until(() -> instance.status().circuit() == State.OPEN);
			long openNanos = System.nanoTime();
			load.lasts(SECOND);
			load.stop();
			long second = SECOND.toNanos();
			return new Attempt(Waits.of(load.between(stopNanos - second, stopNanos)),
					Waits.of(load.between(stopNanos, stopNanos + second)),
					Waits.of(load.between(openNanos, openNanos + second)));
		}
		finally {
			redis.resume();
		}
	}

	/**
	 * Three seconds.
	 *
	 * @param healthy the second before
	 * @param first the first second after Redis stopped
	 * @param open a second with the breaker open
	 */
	private record Attempt(Waits healthy, Waits first, Waits open) {

	}

	/**
	 * Waits in milliseconds, with a limit and with none.
	 */
	private record Waits(double limitedP50, double limitedP99, double freeP50, double freeP99) {

		static Waits of(List<Sample> samples) {
			List<Sample> limited = samples.stream().filter(Sample::limited).toList();
			List<Sample> free = samples.stream().filter((sample) -> !sample.limited()).toList();
			return new Waits(HttpLoad.waitMillis(limited, 0.5), HttpLoad.waitMillis(limited, 0.99),
					HttpLoad.waitMillis(free, 0.5), HttpLoad.waitMillis(free, 0.99));
		}

		static Waits median(List<Attempt> attempts, Function<Attempt, Waits> second) {
			List<Waits> all = attempts.stream().map(second).toList();
			return new Waits(median(all, Waits::limitedP50), median(all, Waits::limitedP99),
					median(all, Waits::freeP50), median(all, Waits::freeP99));
		}

		private static double median(List<Waits> all, ToDoubleFunction<Waits> figure) {
			return all.stream().mapToDouble(figure).sorted().skip(all.size() / 2).findFirst().orElseThrow();
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "p50 %.1f ms, p99 %.1f ms (under no limit %.1f and %.1f)",
					this.limitedP50, this.limitedP99, this.freeP50, this.freeP99);
		}

	}

}
