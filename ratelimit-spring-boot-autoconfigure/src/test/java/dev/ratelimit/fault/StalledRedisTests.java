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
 * Compares the waits of requests while Redis hangs with those while Redis responds, and
 * with those of concurrent requests without a limit, which show the delay of the machine.
 * Each value is the median of all attempts, and the printed values are the verified ones.
 * The added wait is calculated within each attempt, from the maximum wait without a
 * limit. A pause of the machine affects a few requests per second, and not the same share
 * of both kinds.
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
			Waits healthy = Waits.medians(attempts, Attempt::healthy);
			Waits first = Waits.medians(attempts, Attempt::first);
			Waits open = Waits.medians(attempts, Attempt::open);
			double addedByFirst = median(attempts, (attempt) -> attempt.first().added());
			double addedByOpen = median(attempts, (attempt) -> attempt.open().added());
			System.out.printf(Locale.ROOT,
					"%s, with Redis: %s; first second without: %s, %.1f ms more; breaker open: %s, %.1f ms more%n",
					stack, healthy, first, addedByFirst, open, addedByOpen);
			assertThat(addedByFirst).isLessThanOrEqualTo(DEADLINE_MILLIS + 20);
			// The added wait must be well below the deadline, and the median must not
			// increase.
			assertThat(addedByOpen).isLessThanOrEqualTo(DEADLINE_MILLIS / 2);
			assertThat(open.limitedP50()).isLessThanOrEqualTo(open.freeP50() + 5);
		}
	}

	private static <T> double median(List<T> all, ToDoubleFunction<T> figure) {
		return all.stream().mapToDouble(figure).sorted().skip(all.size() / 2).findFirst().orElseThrow();
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
	 * The measurements of three seconds.
	 *
	 * @param healthy the second before Redis hangs
	 * @param first the first second after Redis hangs
	 * @param open a second with an open breaker
	 */
	private record Attempt(Waits healthy, Waits first, Waits open) {

	}

	/**
	 * The waits in milliseconds, with and without a limit.
	 */
	private record Waits(double limitedP50, double limitedP99, double freeP50, double freeP99, double freeMax) {

		static Waits of(List<Sample> samples) {
			List<Sample> limited = samples.stream().filter(Sample::limited).toList();
			List<Sample> free = samples.stream().filter((sample) -> !sample.limited()).toList();
			return new Waits(HttpLoad.waitMillis(limited, 0.5), HttpLoad.waitMillis(limited, 0.99),
					HttpLoad.waitMillis(free, 0.5), HttpLoad.waitMillis(free, 0.99), HttpLoad.waitMillis(free, 1));
		}

		static Waits medians(List<Attempt> attempts, Function<Attempt, Waits> second) {
			List<Waits> all = attempts.stream().map(second).toList();
			return new Waits(median(all, Waits::limitedP50), median(all, Waits::limitedP99),
					median(all, Waits::freeP50), median(all, Waits::freeP99), median(all, Waits::freeMax));
		}

		/**
		 * Return the difference between the p99 of limited requests and the maximum
		 * without a limit.
		 */
		double added() {
			return this.limitedP99 - this.freeMax;
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "p50 %.1f ms, p99 %.1f ms (under no limit %.1f, %.1f, at most %.1f)",
					this.limitedP50, this.limitedP99, this.freeP50, this.freeP99, this.freeMax);
		}

	}

}
