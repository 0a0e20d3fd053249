package dev.ratelimit.envoy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.test.redis.TestRedis;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a Redis that hangs while Envoy waits for its default of 20 ms.
 */
@Tag("scenario")
class EnvoyOutageTests {

	private static final Duration DEADLINE = Duration.ofMillis(20);

	private static final int CLIENTS = 4;

	private static final int CALLS = 500;

	private static final int LIMIT = 100;

	@Test
	void callsAreDecidedInTimeWhileRedisStandsStill() throws InterruptedException, ExecutionException {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext application = start(redis);
				EnvoyProbe envoy = EnvoyProbe.of(application)) {
			Counts before = calls(envoy, "user=early");
			assertThat(before.errors()).hasValue(0);
			assertThat(before.allowed().get()).as("in Redis, and of late calls on the instance")
				.isLessThanOrEqualTo(2 * LIMIT);
			envoy.codes(LIMIT, "user=bob");
			redis.pause();
			Counts during = calls(envoy, "user=bob");
			redis.resume();
			System.out.println(String.format(Locale.ROOT, "before: %s, while Redis stands still: %s", before, during));
			assertThat(during.errors()).hasValue(0);
			// On a busy machine, calls are also late without an outage.
			assertThat(during.late().get()).isLessThanOrEqualTo(Math.max(CLIENTS * CALLS / 100, before.late().get()));
			assertThat(during.allowed().get()).as("beyond the limit: one more on the instance")
				.isLessThanOrEqualTo(LIMIT);
		}
	}

	private static ConfigurableApplicationContext start(TestRedis redis) {
		return new SpringApplicationBuilder(EnvoyServiceContract.Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.envoy.enabled=true",
					"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
					"--ratelimit.rules.all.descriptor.domain=edge", "--ratelimit.rules.all.descriptor.entries=user",
					"--ratelimit.rules.all.limit=" + LIMIT + "/h");
	}

	private static Counts calls(EnvoyProbe envoy, String entries) throws InterruptedException, ExecutionException {
		Counts counts = new Counts(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
		ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
		try {
			List<Future<?>> running = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				running.add(clients.submit(() -> {
					for (int j = 0; j < CALLS; j++) {
						counts.add(envoy, entries);
					}
				}));
			}
			for (Future<?> one : running) {
				one.get();
			}
		}
		finally {
			clients.shutdownNow();
		}
		return counts;
	}

	private record Counts(AtomicInteger allowed, AtomicInteger late, AtomicInteger errors) {

		void add(EnvoyProbe envoy, String entries) {
			try {
				Code code = envoy.call(DEADLINE, (request) -> request.addDescriptors(EnvoyProbe.descriptor(entries)))
					.getOverallCode();
				this.allowed.addAndGet((code == Code.OK) ? 1 : 0);
			}
			catch (StatusRuntimeException ex) {
				boolean isLate = ex.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
				((isLate) ? this.late : this.errors).incrementAndGet();
			}
		}

	}

}
