package dev.ratelimit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests two stores, one of which fails under load. Compares the waits of requests with
 * limits of the other store before and during the fault. Each value is the median of all
 * attempts.
 */
@Tag("scenario")
@Tag("long")
class StoreFaultTests {

	private static final String CALLER = "store";

	private static final int ATTEMPTS = Integer.getInteger("test.store.faults", 5);

	/**
	 * The maximum additional wait, because a busy machine adds some milliseconds. The
	 * errors and the circuit of the responding store show that the stores are
	 * independent.
	 */
	private static final int MARGIN_MILLIS = Integer.getInteger("test.store.margin.millis", 1);

	private static final int PER_SECOND = 400;

	private static final Duration SPAN = Duration.ofSeconds(3);

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void failedStoreDoesNotSlowOtherStores(WebApplicationType stack) {
		try (TestRedis home = TestRedis.start();
				TestRedis acme = TestRedis.start();
				Instance instance = start(stack, home, acme)) {
			try (HttpLoad load = HttpLoad.start(instance.port(), "warm-up", 2 * PER_SECOND)) {
				load.lasts(SPAN);
			}
			// A cold server may have read a reply too late.
			Map<Kind, Long> cold = errors(instance.status());
			List<Attempt> attempts = new ArrayList<>();
			for (int i = 0; i < ATTEMPTS; i++) {
				attempts.add(measure(instance, acme, (i % 2 == 0) ? TestRedis::kill : TestRedis::pause,
						(i % 2 == 0) ? TestRedis::restart : TestRedis::resume));
			}
			double before = median(attempts, Attempt::before);
			double during = median(attempts, Attempt::during);
			System.out.printf(Locale.ROOT, "%s, p99 of the other store's limits: before %.1f ms, during %.1f ms%n",
					stack, before, during);
			assertThat(during).isLessThanOrEqualTo(Math.max(before * 1.2, before + MARGIN_MILLIS));
			assertThat(errors(instance.status())).isEqualTo(cold);
		}
	}

	private static Instance start(WebApplicationType stack, TestRedis home, TestRedis acme) {
		List<String> properties = new ArrayList<>(Arrays.asList(Instance.redis(home.host(), home.port())));
		properties.addAll(
				List.of("--ratelimit.stores.acme.host=" + acme.host(), "--ratelimit.stores.acme.port=" + acme.port(),
						"--ratelimit.rules.bounded.overrides." + CALLER + ".limit=1000000/d",
						"--ratelimit.rules.bounded.overrides." + CALLER + ".store=acme"));
		return Instance.start(stack, properties.toArray(String[]::new));
	}

	private static Attempt measure(Instance instance, TestRedis acme, Consumer<TestRedis> fail,
			Consumer<TestRedis> heal) {
		StoreStatus other = instance.bean(OtherStores.class).stores().get(0).status();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> other.health() == StoreHealth.UP);
		try (HttpLoad load = HttpLoad.start(instance.port(), CALLER, PER_SECOND, Target.OPEN, Target.BOUNDED)) {
			load.lasts(SPAN);
			long failNanos = System.nanoTime();
			fail.accept(acme);
			load.lasts(SPAN);
			Awaitility.await().until(() -> other.circuit() == State.OPEN);
			load.stop();
			assertThat(load.samples()).extracting(Sample::status).containsOnly(200);
			assertThat(instance.status().circuit()).isEqualTo(State.CLOSED);
			long span = SPAN.toNanos();
			return new Attempt(p99(load.between(failNanos - span, failNanos)),
					p99(load.between(failNanos, failNanos + span)));
		}
		finally {
			heal.accept(acme);
		}
	}

	private static double p99(List<Sample> samples) {
		return HttpLoad.waitMillis(samples.stream().filter((sample) -> sample.target() == Target.OPEN).toList(), 0.99);
	}

	private static Map<Kind, Long> errors(StoreStatus status) {
		return Arrays.stream(Kind.values()).collect(Collectors.toMap(Function.identity(), status::errors));
	}

	private static double median(List<Attempt> all, ToDoubleFunction<Attempt> figure) {
		return all.stream().mapToDouble(figure).sorted().skip(all.size() / 2).findFirst().orElseThrow();
	}

	/**
	 * The p99 of the waits of requests under limits of the other store, in milliseconds.
	 *
	 * @param before the p99 while both stores respond
	 * @param during the p99 after one store has failed
	 */
	private record Attempt(double before, double during) {

	}

}
