package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.Criticality;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that two instances, one on each stack, with the same Redis share their limits
 * exactly.
 */
@RedisTest
class InstancesTests {

	private static final int CALLERS = 64;

	private static final int EACH = 10;

	private static final int LIMIT = 100;

	private static final String KEY = "slots";

	private static ConfigurableApplicationContext first;

	private static ConfigurableApplicationContext second;

	private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

	@BeforeAll
	static void start(TestRedis redis) {
		String prefix = "rl:" + UUID.randomUUID();
		first = start(redis, prefix, WebApplicationType.SERVLET);
		second = start(redis, prefix, WebApplicationType.REACTIVE);
	}

	@AfterAll
	static void stop() {
		first.close();
		second.close();
	}

	@Test
	void concurrentCallersOverTwoInstancesGetExactlyTheLimit() throws Exception {
		List<RateLimiter> instances = List.of(first.getBean(RateLimiter.class), second.getBean(RateLimiter.class));
		long startNanos = System.nanoTime();
		List<Decision> decisions = decide(instances);
		long refilled = Duration.ofNanos(System.nanoTime() - startNanos).toMillis() * LIMIT
				/ Duration.ofDays(1).toMillis();
		assertThat(decisions).extracting(Decision::source).contains(Source.REMOTE).doesNotContain(Source.FALLBACK);
		assertThat(decisions.stream().filter(Decision::allowed).count()).isBetween((long) LIMIT, LIMIT + refilled);
	}

	@Test
	void importantRequestsGetInWhenOthersAreRejectedOnAllInstances() {
		assertThat(first.getBeanProvider(LoadGuard.class).getIfAvailable()).as("not necessary").isNull();
		hold(first, "/slots/plain", 2);
		hold(second, "/slots/plain", 1);
		for (ConfigurableApplicationContext instance : List.of(first, second)) {
			assertRejected(get(instance, "/slots/plain"), 3);
			assertRejected(get(instance, "/slots/low"), 3);
			assertThat(explain(instance, "/slots/plain")).contains("\"outcome\":\"rejected\"", "\"level\":\"normal\"",
					"\"limit\":\"3\",\"burst\":3,\"remaining\":0");
			assertThat(explain(instance, "/slots/important")).contains("\"outcome\":\"allowed\"",
					"\"level\":\"critical\"", "\"limit\":\"5\",\"burst\":5,\"remaining\":2");
		}
		hold(second, "/slots/important", 1);
		assertThat(explain(first, "/slots/important")).contains("\"remaining\":1");
		hold(first, "/slots/pay", 1);
		for (ConfigurableApplicationContext instance : List.of(first, second)) {
			assertRejected(get(instance, "/slots/important"), 5);
		}
		List.of(first, second).forEach((instance) -> instance.getBean(SlowHandlers.class).finish(KEY));
		assertThat(this.replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(200));
		assertThat(this.replies.get(4).join().header("RateLimit")).isEqualTo("\"slots\";r=0");
	}

	private void hold(ConfigurableApplicationContext instance, String path, int count) {
		SlowHandlers handlers = instance.getBean(SlowHandlers.class);
		int before = handlers.underWay(KEY).size();
		for (int i = 0; i < count; i++) {
			this.replies.add(CompletableFuture.supplyAsync(() -> get(instance, path), LeaseContract.THREADS));
		}
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> handlers.underWay(KEY).size() == before + count);
	}

	private static Reply get(ConfigurableApplicationContext instance, String path) {
		return WaitingTests.http(instance).get(path, "X-Key", KEY);
	}

	private static String explain(ConfigurableApplicationContext instance, String path) {
		return get(instance, "/actuator/ratelimit/explain?path=" + path).body();
	}

	private static void assertRejected(Reply reply, int capacity) {
		assertThat(reply.statusCode()).isEqualTo(503);
		assertThat(reply.header("RateLimit")).isEqualTo("\"slots\";r=0");
		assertThat(reply.header("RateLimit-Policy")).startsWith("\"slots\";q=" + capacity);
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

	private static ConfigurableApplicationContext start(TestRedis redis, String prefix, WebApplicationType stack) {
		return new SpringApplicationBuilder(Instance.class).web(stack)
			.run("--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
					"--spring.autoconfigure.exclude=" + SentStatusApplication.LEFT_OUT, "--server.port=0",
					"--server.shutdown=immediate", "--management.endpoints.web.exposure.include=ratelimit",
					"--ratelimit.store=redis", "--ratelimit.deadline=20s", "--ratelimit.redis.key-prefix=" + prefix,
					"--ratelimit.rules.shared.limit=" + LIMIT + "/d", "--ratelimit.rules.shared.programmatic=true",
					"--ratelimit.rules.slots.paths=/slots/**", "--ratelimit.rules.slots.key=global",
					"--ratelimit.rules.slots.algorithm=concurrency", "--ratelimit.rules.slots.limit=5",
					"--ratelimit.rules.slots.reserve.critical=40%", "--ratelimit.load.classify[0].paths=/slots/pay",
					"--ratelimit.load.classify[0].level=critical", "--ratelimit.load.classify[1].paths=/slots/low",
					"--ratelimit.load.classify[1].level=low");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ SlowHandlers.class, Handlers.class })
	static class Instance {

	}

	@RestController
	static class Handlers {

		private final SlowHandlers slow;

		Handlers(SlowHandlers slow) {
			this.slow = slow;
		}

		@GetMapping("/slots/{name}")
		CompletableFuture<String> slot(@RequestHeader("X-Key") String key) {
			return this.slow.begin(key);
		}

		@Criticality(Level.CRITICAL)
		@GetMapping("/slots/important")
		CompletableFuture<String> important(@RequestHeader("X-Key") String key) {
			return this.slow.begin(key);
		}

	}

}
