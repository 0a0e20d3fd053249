package dev.ratelimit.envoy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests token streams. Envoy calls with zero hits when a stream begins, and reports its
 * tokens when it ends. The usage must equal the reported tokens of two instances on one
 * Redis.
 */
@Tag("long")
@RedisTest
class EnvoyTokenStreamsTests {

	private static final int STREAMS = 1000;

	private static final int CLIENTS = 32;

	private static final int LIMIT = 1_000_000_000;

	@ParameterizedTest
	@ValueSource(strings = { "strict", "leased" })
	void usageEqualsReportedTokens(String consistency, TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext first = start(redis, consistency);
				ConfigurableApplicationContext second = start(redis, consistency);
				EnvoyProbe one = EnvoyProbe.of(first);
				EnvoyProbe another = EnvoyProbe.of(second)) {
			long reported = 0;
			ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
			try {
				List<Future<Integer>> streams = new ArrayList<>();
				for (int i = 0; i < STREAMS; i++) {
					EnvoyProbe envoy = (i % 2 == 0) ? one : another;
					Random random = new Random(i);
					streams.add(clients.submit(() -> stream(envoy, random)));
				}
				for (Future<Integer> stream : streams) {
					reported += stream.get();
				}
			}
			finally {
				clients.shutdownNow();
			}
			long left = LIMIT - reported;
			assertThat(reported).isGreaterThan(STREAMS);
			Awaitility.await().untilAsserted(() -> {
				assertThat(ask(one).getStatuses(0).getLimitRemaining()).isEqualTo((int) left);
				assertThat(ask(another).getStatuses(0).getLimitRemaining()).isEqualTo((int) left);
			});
		}
	}

	private static int stream(EnvoyProbe envoy, Random random) throws InterruptedException {
		assertThat(ask(envoy).getOverallCode()).isEqualTo(Code.OK);
		Thread.sleep(random.nextInt(20));
		int tokens = 1 + random.nextInt(5000);
		assertThat(envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("model=x", tokens)))
			.getOverallCode()).isEqualTo(Code.OK);
		return tokens;
	}

	private static RateLimitResponse ask(EnvoyProbe envoy) {
		return envoy.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("model=x", 0)));
	}

	private static ConfigurableApplicationContext start(TestRedis redis, String consistency) {
		return new SpringApplicationBuilder(EnvoyServiceContract.Application.class).web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.envoy.enabled=true",
					"--management.health.redis.enabled=false", "--ratelimit.redis.host=" + redis.host(),
					"--ratelimit.redis.port=" + redis.port(), "--ratelimit.rules." + consistency + ".key=entry:model",
					"--ratelimit.rules." + consistency + ".descriptor.domain=edge",
					"--ratelimit.rules." + consistency + ".descriptor.entries=model",
					"--ratelimit.rules." + consistency + ".limit=" + LIMIT + "/365d",
					"--ratelimit.rules." + consistency + ".algorithm=fixed-window",
					"--ratelimit.rules." + consistency + ".consistency=" + consistency);
	}

}
