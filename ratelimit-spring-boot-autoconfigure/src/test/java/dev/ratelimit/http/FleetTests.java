package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances on one Redis share one limit exactly.
 */
@RedisTest
class FleetTests {

	private static final int CALLERS = 64;

	private static final int EACH = 10;

	private static final int LIMIT = 100;

	@Test
	void concurrentCallersOverTwoInstancesGetExactlyTheLimit(TestRedis redis) throws Exception {
		String prefix = "rl:" + UUID.randomUUID();
		try (ConfigurableApplicationContext first = start(redis, prefix);
				ConfigurableApplicationContext second = start(redis, prefix)) {
			List<RateLimiter> instances = List.of(first.getBean(RateLimiter.class), second.getBean(RateLimiter.class));
			long startNanos = System.nanoTime();
			List<Decision> decisions = decide(instances);
			long refilled = Duration.ofNanos(System.nanoTime() - startNanos).toMillis() * LIMIT
					/ Duration.ofDays(1).toMillis();
			assertThat(decisions).extracting(Decision::source).contains(Source.REMOTE).doesNotContain(Source.FALLBACK);
			assertThat(decisions.stream().filter(Decision::allowed).count()).isBetween((long) LIMIT, LIMIT + refilled);
		}
	}

	private static List<Decision> decide(List<RateLimiter> instances) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
		try {
			List<Callable<List<Decision>>> loops = new ArrayList<>();
			for (int i = 0; i < CALLERS; i++) {
				RateLimiter instance = instances.get(i % instances.size());
				loops.add(() -> loop(instance));
			}
			List<Decision> decisions = new ArrayList<>();
			for (Future<List<Decision>> loop : callers.invokeAll(loops)) {
				decisions.addAll(loop.get());
			}
			return decisions;
		}
		finally {
			callers.shutdownNow();
		}
	}

	private static List<Decision> loop(RateLimiter instance) {
		List<Decision> decisions = new ArrayList<>();
		for (int i = 0; i < EACH; i++) {
			decisions.add(instance.acquire("shared", "user:everybody").block(Duration.ofSeconds(30)));
		}
		return decisions;
	}

	private static ConfigurableApplicationContext start(TestRedis redis, String prefix) {
		return new SpringApplicationBuilder(Instance.class).web(WebApplicationType.NONE)
			.run("--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
					"--ratelimit.store=redis", "--ratelimit.deadline=20s", "--ratelimit.redis.key-prefix=" + prefix,
					"--ratelimit.rules.shared.limit=" + LIMIT + "/d");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Instance {

	}

}
