package dev.ratelimit.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests four instances that send as many requests to a partner as possible.
 */
@Tag("long")
@RedisTest
class PartnerInstancesTests {

	private static final int INSTANCES = 4;

	private static final int SENDERS = 8;

	/** The limit is low, so that the speed of the machine does not affect the result. */
	private static final int LIMIT = 20;

	/** The burst compensates two seconds without CPU time. */
	private static final int BURST = 40;

	private static final Duration MEASURED = Duration.ofSeconds(5);

	/**
	 * The pause that the partner requests, longer than an instance needs to notice it.
	 */
	private static final int PAUSE_SECONDS = 2;

	private static final long STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

	private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

	private volatile boolean stopped;

	@Test
	void togetherTheyUseTheQuotaAndStopTogether(TestRedis redis) throws Exception {
		ExecutorService senders = Executors.newCachedThreadPool();
		List<ConfigurableApplicationContext> instances = List.of();
		try (PartnerStub partner = new PartnerStub(PAUSE_SECONDS)) {
			instances = start(redis, partner);
			instances.forEach((instance) -> send(instance, partner, senders));
			// The burst is used up.
			Awaitility.await().until(() -> partner.arrivals().length > BURST + LIMIT / 2);
			long beginNanos = System.nanoTime();
			TimeUnit.NANOSECONDS.sleep(MEASURED.toNanos());
			long endNanos = System.nanoTime();
			partner.rejectNext();
			Awaitility.await().until(() -> partner.rejectedNanos() > 0);
			TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
			long[] arrivals = partner.arrivals();
			// Exclude the first requests of a JVM, which are late and arrive together.
			long[] warm = Arrays.stream(arrivals).filter((at) -> at >= beginNanos && at < endNanos).sorted().toArray();
			assertThat(most(warm)).as("in any second").isLessThanOrEqualTo(LIMIT + BURST);
			// Measure from the first arrival to the last one, to exclude delays at both
			// ends. The last one may be a quarter of a second late.
			double allowed = LIMIT * (double) (warm[warm.length - 1] - warm[0]) / SECOND_NANOS;
			assertThat(warm.length - 1.0).as("used").isGreaterThanOrEqualTo(allowed - LIMIT / 4.0);
			double used = (warm.length - 1) / allowed;
			long rejected = partner.rejectedNanos();
			assertThat(between(arrivals, rejected + STOPPED_NANOS,
					rejected + PAUSE_SECONDS * SECOND_NANOS - SECOND_NANOS / 10))
				.as("while it is paused")
				.isZero();
			System.out.printf("Partner: %.3f used, at most %d in a second, last request %d ms after the rejection%n",
					used, most(warm), last(arrivals, rejected));
		}
		finally {
			this.stopped = true;
			senders.shutdownNow();
			instances.forEach(ConfigurableApplicationContext::close);
		}
	}

	private void send(ConfigurableApplicationContext instance, PartnerStub partner, ExecutorService senders) {
		RestClient client = instance.getBean(RestClient.Builder.class).build();
		for (int i = 0; i < SENDERS; i++) {
			senders.execute(() -> {
				while (!this.stopped) {
					send(client, partner);
				}
			});
		}
	}

	private void send(RestClient client, PartnerStub partner) {
		try {
			client.get().uri(partner.url() + "/v1").exchange((request, response) -> response.getStatusCode());
		}
		catch (RateLimitExceededException ex) {
			sleep(Duration.ofMillis(50));
		}
		catch (RuntimeException ex) {
			// The partner has stopped.
			assertThat(this.stopped).isTrue();
		}
	}

	private static void sleep(Duration time) {
		try {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static int most(long[] arrivals) {
		return IntStream.range(0, arrivals.length)
			.map((i) -> between(arrivals, arrivals[i], arrivals[i] + SECOND_NANOS))
			.max()
			.orElse(0);
	}

	private static int between(long[] arrivals, long fromNanos, long toNanos) {
		return (int) Arrays.stream(arrivals).filter((at) -> at >= fromNanos && at < toNanos).count();
	}

	// Return the time of the last request before the pause was effective everywhere, in
	// milliseconds after the rejection.
	private static long last(long[] arrivals, long rejected) {
		return TimeUnit.NANOSECONDS
			.toMillis(Arrays.stream(arrivals).filter((at) -> at < rejected + STOPPED_NANOS).max().orElse(rejected)
					- rejected);
	}

	private static List<ConfigurableApplicationContext> start(TestRedis redis, PartnerStub partner) {
		String prefix = "rl:" + UUID.randomUUID();
		List<ConfigurableApplicationContext> instances = new ArrayList<>();
		for (int i = 0; i < INSTANCES; i++) {
			instances.add(start(redis, prefix, partner));
		}
		return instances;
	}

	private static ConfigurableApplicationContext start(TestRedis redis, String prefix, PartnerStub partner) {
		return new SpringApplicationBuilder(Instance.class).web(WebApplicationType.NONE)
			.run("--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
					"--spring.http.clients.imperative.factory=jdk", "--spring.main.banner-mode=off",
					"--spring.data.redis.repositories.enabled=false", "--ratelimit.store=redis",
					"--ratelimit.deadline=2s", "--ratelimit.redis.key-prefix=" + prefix,
					"--ratelimit.client.quotas.partner.urls=" + partner.url() + "/**",
					"--ratelimit.client.quotas.partner.rule=partner", "--ratelimit.client.quotas.partner.max-wait=2s",
					"--ratelimit.rules.partner.programmatic=true", "--ratelimit.rules.partner.key=global",
					"--ratelimit.rules.partner.limit=" + LIMIT + "/s", "--ratelimit.rules.partner.burst=" + BURST);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Instance {

	}

}
