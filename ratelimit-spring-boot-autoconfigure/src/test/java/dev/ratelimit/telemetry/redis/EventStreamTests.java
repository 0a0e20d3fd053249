package dev.ratelimit.telemetry.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.EnableAuto;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.test.clients.ClientPrograms;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@RedisTest
class EventStreamTests {

	private static final String KEY = "rl:orders:{events}:stream";

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues("ratelimit.rules.search.limit=1/h", "ratelimit.rules.search.programmatic=true",
				"ratelimit.deadline=5s", "spring.application.name=orders", "ratelimit.telemetry.subjects=plain",
				"ratelimit.events.stream.enabled=true");

	private static String[] at(TestRedis redis) {
		return new String[] { "ratelimit.store=redis", "ratelimit.redis.host=" + redis.host(),
				"ratelimit.redis.port=" + redis.port() };
	}

	@Test
	void eventsAreTextsInAStream(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).run((context) -> {
			acquire(context, "user:\"1\"", 1);
			// Redis may be late for some events, which are dropped.
			await().untilAsserted(() -> {
				acquire(context, "user:\"1\"", 1);
				assertThat(redis.command("XLEN", KEY)).isNotEqualTo("0");
			});
			assertThat(redis.command("XRANGE", KEY, "-", "+")).contains("\"allowed\":false")
				.contains("\"reason\":\"limit_exceeded\"")
				.contains("\"weight\":1.0")
				.contains("{\"rule\":\"search\",\"subject\":\"user:\\\"1\\\"\",\"cost\":1,\"outcome\":\"rejected\","
						+ "\"remaining\":0}");
		});
	}

	@Test
	void theStreamIsBounded(TestRedis redis) {
		this.runner.withPropertyValues(at(redis))
			.withPropertyValues("ratelimit.events.stream.max-length=200", "ratelimit.events.max-per-second=100000")
			.run((context) -> {
				acquire(context, "user:2", 2000);
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				// Redis may be late for some batches.
				await().untilAsserted(() -> assertThat(
						meters.get("ratelimit.events.sent").functionCounter().count() + dropped(context))
					.isEqualTo(1999));
				// The stream removes only whole nodes, which contain 100 events by
				// default.
				assertThat(Long.parseLong(redis.command("XLEN", KEY))).isBetween(200L, 400L);
			});
	}

	@Test
	void eventRejectedByRedisIsDropped(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).run((context) -> {
			redis.command("SET", KEY, "no stream");
			acquire(context, "user:3", 2);
			await().untilAsserted(() -> assertThat(dropped(context)).isEqualTo(1));
			redis.command("DEL", KEY);
			await().untilAsserted(() -> {
				acquire(context, "user:3", 1);
				assertThat(redis.command("XLEN", KEY)).isNotEqualTo("0");
			});
		});
	}

	@Tag("long")
	@Test
	void weightsEstimateTheNumberOfDecisions(TestRedis redis) {
		this.runner.withPropertyValues(at(redis))
			.withPropertyValues("ratelimit.events.rejected=0.25", "ratelimit.events.max-per-second=100000")
			.run((context) -> {
				acquire(context, "user:alice", 3000);
				acquire(context, "user:bob", 1000);
				await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
					List<String> lines = shell(redis);
					assertThat(lines).hasSize(2);
					assertThat(lines.get(0)).startsWith("user:alice ");
					assertThat(Double.parseDouble(lines.get(0).split(" ")[1])).isBetween(2600.0, 3400.0);
					assertThat(lines.get(1)).startsWith("user:bob ");
				});
			});
	}

	// Return the command of the documentation page with the address of this Redis.
	private static List<String> shell(TestRedis redis) throws IOException {
		return ClientPrograms.shell(
				Files.readString(Path.of("..", "docs", "how-to", "telemetry.md"))
					.replaceAll("(?s).*```sh\n(redis-cli --raw XRANGE.*?)```.*", "$1")
					.replace("redis-cli ", "redis-cli -h " + redis.host() + " -p " + redis.port() + " "),
				"redis-cli", "jq");
	}

	@Test
	void withoutRedisTheStartFails() {
		this.runner.run((context) -> assertThat(context).getFailure()
			.hasRootCauseInstanceOf(StoreConfigurationException.class)
			.hasRootCauseMessage("'ratelimit.events.stream.enabled' is true, but the store is not Redis."));
	}

	@Test
	void withoutRedisTheStartFailsAlsoIfBeansAreLazy() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void theLengthIsChecked() {
		this.runner.withPropertyValues("ratelimit.events.stream.max-length=0")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("it must be between 1 and 100000000"));
	}

	private static double dropped(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("ratelimit.events.dropped")
			.tag("reason", "failed")
			.functionCounter()
			.count();
	}

	private static void acquire(ApplicationContext context, String subject, int times) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		IntStream.range(0, times).forEach((i) -> limiter.acquireBlocking("search", subject));
	}

}
