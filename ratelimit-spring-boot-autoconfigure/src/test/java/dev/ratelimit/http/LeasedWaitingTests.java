package dev.ratelimit.http;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the waits of clients under rules whose units are leased from Redis.
 */
@Tag("redis")
class LeasedWaitingTests {

	private static TestRedis redis;

	@BeforeAll
	static void startRedis() {
		redis = TestRedis.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, leased", "SERVLET, auto", "REACTIVE, leased", "REACTIVE, auto" })
	void requestsWaitForAsLongAsTheLimitSays(WebApplicationType stack, String consistency) {
		try (ConfigurableApplicationContext application = start(stack, "--ratelimit.rules.work.limit=50/s",
				"--ratelimit.rules.work.burst=5", "--ratelimit.rules.work.wait=10s",
				"--ratelimit.rules.work.consistency=" + consistency)) {
			HttpProbe http = http(application);
			List<CompletableFuture<Integer>> sent = IntStream.range(0, 45)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> http.get("/work").statusCode(),
						LeaseContract.THREADS))
				.toList();
			assertThat(sent).extracting(CompletableFuture::join).containsOnly(200);
			assertThat(http.get("/work").statusCode()).as("after the burst").isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theCodeOfTheApplicationIsNotCalledOnThreadsOfTheConnection(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "--ratelimit.rules.work.limit=50/s",
				"--ratelimit.rules.work.burst=1", "--ratelimit.rules.work.wait.max=10s",
				"--ratelimit.rules.work.wait.fair-by=bean:account")) {
			HttpProbe http = http(application);
			List<CompletableFuture<Integer>> sent = IntStream.range(0, 10)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> http.get("/work").statusCode(),
						LeaseContract.THREADS))
				.toList();
			assertThat(sent).extracting(CompletableFuture::join).containsOnly(200);
			assertThat(application.getBean(Threads.class).names()).isNotEmpty()
				.noneMatch((name) -> name.startsWith("lettuce"));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aClientThatDoesNotWaitIsStillToldTheEndOfTheWindow(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "--ratelimit.rules.work.limit=2/365d",
				"--ratelimit.rules.work.algorithm=fixed-window", "--ratelimit.rules.work.consistency=leased")) {
			HttpProbe http = http(application);
			http.statuses(2, "GET", "/work");
			long begin = System.nanoTime();
			// The instance calls Redis at least once a second.
			while (System.nanoTime() - begin < 3_500_000_000L) {
				Reply reply = http.get("/work");
				if (reply.statusCode() == 429) {
					assertThat(Long.parseLong(reply.header("Retry-After"))).isBetween(1L, 31_536_000L);
					assertThat(Long.parseLong(reply.header("X-RateLimit-Reset")) - System.currentTimeMillis() / 1000)
						.isLessThan(31_536_002);
				}
			}
			assertThat(http.get("/work").statusCode()).isEqualTo(429);
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, String... more) {
		String[] common = { "--server.port=0", "--spring.main.banner-mode=off",
				"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
				"--ratelimit.redis.key-prefix=rl:${random.uuid}", "--ratelimit.deadline=5s",
				"--spring.autoconfigure.exclude=" + SentStatusApplication.LEFT_OUT,
				"--ratelimit.rules.work.paths=/work", "--ratelimit.rules.work.key=ip" };
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run(Stream.of(common, more).flatMap(Arrays::stream).toArray(String[]::new));
	}

	private static HttpProbe http(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	/**
	 * The threads that have called the key resolver.
	 *
	 * @param names their names
	 */
	record Threads(Set<String> names) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Threads threads() {
			return new Threads(ConcurrentHashMap.newKeySet());
		}

		@Bean
		KeyResolver account(Threads threads) {
			return KeyResolver.withoutPrincipal((request) -> {
				threads.names().add(Thread.currentThread().getName());
				return Optional.of("one");
			});
		}

		@RestController
		static class Handlers {

			@GetMapping("/work")
			String work() {
				return "done";
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		static class Reactive {

			@Bean
			NettyReactiveWebServerFactory netty() {
				return new NettyReactiveWebServerFactory();
			}

		}

	}

}
