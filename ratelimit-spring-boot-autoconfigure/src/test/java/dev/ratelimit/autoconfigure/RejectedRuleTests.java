package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests rules whose scripts Redis rejects, together with rules whose scripts it executes.
 */
@Tag("redis")
@ExtendWith(OutputCaptureExtension.class)
class RejectedRuleTests {

	private static final String FAILED = "Rule 'log' failed with a non-transient error";

	/** Newer versions of Redis include the command in the message. */
	private static final String WORDS = "script: ";

	private static final TestRedis REDIS = TestRedis.start();

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues("ratelimit.deadline=5s", "ratelimit.circuit.probe-interval=100ms",
				"spring.data.redis.host=" + REDIS.host(), "spring.data.redis.port=" + REDIS.port(),
				"spring.data.redis.username=" + RedisRights.ON_SERVER.user(),
				"spring.data.redis.password=" + RedisRights.PASSWORD, "ratelimit.rules.all.limit=100/min",
				"ratelimit.rules.all.paths=/**", "ratelimit.rules.log.limit=5/min",
				"ratelimit.rules.log.algorithm=sliding-log", "ratelimit.rules.log.paths=/log");

	@BeforeEach
	void everyRight() {
		REDIS.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "+zadd", "+zrem", "+set");
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@Test
	void isReportedAtStart(CapturedOutput output) {
		REDIS.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "-zadd");
		this.runner.run((context) -> {
			Awaitility.await().untilAsserted(() -> assertThat(output).contains(FAILED));
			assertThat(output.getAll().lines().filter((line) -> line.contains(FAILED))).hasSize(1)
				.allMatch((line) -> line.contains("ERROR") && line.contains(WORDS) && line.contains("@user_script"));
			assertThat(output).doesNotContain("Rule 'all' failed");
			Health health = health(context);
			assertThat(health.getStatus().getCode()).isEqualTo("DEGRADED");
			assertThat(failing(health)).containsOnlyKeys("log").extracting("log").asString().contains(WORDS);
			everyRight();
			Awaitility.await().untilAsserted(() -> assertThat(health(context).getStatus().getCode()).isEqualTo("UP"));
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("Rule 'log' is available again"));
		});
	}

	@Test
	void isReportedOnceWhereOnlyCorrectionsAreRejected(CapturedOutput output) {
		REDIS.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "-zrem");
		this.runner.run((context) -> {
			Awaitility.await().untilAsserted(() -> assertThat(output).contains(FAILED));
			Awaitility.await().during(Duration.ofMillis(400)).until(() -> true);
			assertThat(output.getAll().lines().filter((line) -> line.contains(FAILED))).hasSize(1);
		});
	}

	@Test
	void isReportedWhenItBeginsLater(CapturedOutput output) {
		this.runner.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			limiter.acquire("log", "ann").block(Duration.ofSeconds(10));
			Awaitility.await().untilAsserted(() -> assertThat(health(context).getStatus().getCode()).isEqualTo("UP"));
			assertThat(output).doesNotContain(FAILED);
			REDIS.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "-zadd");
			for (int i = 0; i < 20; i++) {
				limiter.acquire((i % 4 == 0) ? "log" : "all", "ann").block(Duration.ofSeconds(10));
			}
			assertThat(output.getAll().lines().filter((line) -> line.contains(FAILED))).hasSize(1)
				.allMatch((line) -> line.contains("ERROR") && line.contains(WORDS) && line.contains("@user_script"));
			assertThat(failing(health(context))).containsOnlyKeys("log");
		});
	}

	@Test
	void limiterIsDownWhereEveryRuleFails(CapturedOutput output) {
		REDIS.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "-zadd");
		this.runner.withPropertyValues("ratelimit.rules.all.mode=off").run((context) -> {
			Awaitility.await().untilAsserted(() -> assertThat(output).contains(FAILED));
			assertThat(health(context).getStatus().getCode()).isEqualTo("DOWN");
		});
	}

	@Test
	void nothingIsReportedWithTheRightsOfTheDocs(CapturedOutput output) {
		this.runner
			.withPropertyValues("ratelimit.rules.log.consistency=leased", "ratelimit.rules.log.idempotency=true",
					"ratelimit.rules.gcra.limits=5/s,100/min", "ratelimit.rules.gcra.algorithm=gcra",
					"ratelimit.rules.gcra.paths=/g", "ratelimit.rules.window.limit=100/min",
					"ratelimit.rules.window.algorithm=fixed-window", "ratelimit.rules.window.consistency=leased",
					"ratelimit.rules.window.paths=/w", "ratelimit.rules.sliding.limit=100/min",
					"ratelimit.rules.sliding.algorithm=sliding-window", "ratelimit.rules.sliding.mode=shadow",
					"ratelimit.rules.sliding.paths=/s", "ratelimit.rules.leaky.limit=100/min",
					"ratelimit.rules.leaky.algorithm=leaky-bucket", "ratelimit.rules.leaky.paths=/l",
					"ratelimit.rules.slots.limit=3", "ratelimit.rules.slots.algorithm=concurrency",
					"ratelimit.rules.slots.paths=/c")
			.run((context) -> {
				context.getBean(RuleSelfTest.class).firstRound().join();
				assertThat(output).doesNotContain("non-transient");
				assertThat(health(context).getStatus().getCode()).isEqualTo("UP");
				// Rejected self-tests leave keys that expire.
				Awaitility.await().untilAsserted(() -> assertThat(REDIS.command("KEYS", "*:-self-test.*")).isEmpty());
			});
	}

	private static Health health(ApplicationContext context) {
		Health health = context.getBean("ratelimitHealthIndicator", HealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> failing(Health health) {
		return (Map<String, Object>) health.getDetails().getOrDefault("rules", Map.of());
	}

}
