package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests instances with a clock difference of 20 seconds that count one limit.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class SkewedClockTests {

	private static final int LIMIT = 60;

	private static final Duration SKEW = Duration.ofSeconds(10);

	private final String prefix = "rl:" + UUID.randomUUID();

	@ParameterizedTest
	@CsvSource({ "token-bucket, min", "gcra, min", "fixed-window, h", "sliding-window, h", "sliding-log, h" })
	void byTheServersClockTheirOwnDoNotMatter(String algorithm, String unit, TestRedis redis) {
		long startNanos = System.nanoTime();
		long allowed = allowed(redis, "server", algorithm, unit);
		long refilled = (unit.equals("min")) ? 1 + Duration.ofNanos(System.nanoTime() - startNanos).toSeconds() : 0;
		assertThat(allowed).isBetween((long) LIMIT, LIMIT + refilled);
	}

	// The accuracy depends on the clocks: the difference is credited once, and not for
	// each call.
	@Test
	void byTheirOwnClocksTheDifferenceIsCreditedOnce(TestRedis redis) {
		long startNanos = System.nanoTime();
		long allowed = allowed(redis, "client", "token-bucket", "min");
		long refilled = 1 + Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
		assertThat(allowed).isBetween(LIMIT + SKEW.toSeconds(), LIMIT + 2 * SKEW.toSeconds() + refilled);
	}

	@Test
	void byTheirOwnClocksTheyCountWhereTheUserMayNotAskForTheTime(TestRedis redis) {
		redis.command("ACL", "SETUSER", "timeless", "on", ">secret", "~*", "+@all", "-time");
		try (ConfigurableApplicationContext instance = start(redis, Duration.ZERO, "client", "token-bucket", "h",
				"--spring.data.redis.username=timeless", "--spring.data.redis.password=secret")) {
			List<Decision> decisions = tryAcquire(instance, LIMIT + 10);
			assertThat(decisions).extracting(Decision::source).contains(Source.REMOTE).doesNotContain(Source.FALLBACK);
			assertThat(decisions.stream().filter(Decision::allowed)).hasSize(LIMIT);
		}
		finally {
			redis.command("ACL", "DELUSER", "timeless");
		}
	}

	private long allowed(TestRedis redis, String clock, String algorithm, String unit) {
		try (ConfigurableApplicationContext behind = start(redis, SKEW.negated(), clock, algorithm, unit);
				ConfigurableApplicationContext ahead = start(redis, SKEW, clock, algorithm, unit)) {
			List<Decision> decisions = Stream.of(behind, ahead, behind, ahead)
				.flatMap((instance) -> tryAcquire(instance, LIMIT).stream())
				.toList();
			assertThat(decisions).extracting(Decision::source).contains(Source.REMOTE).doesNotContain(Source.FALLBACK);
			return decisions.stream().filter(Decision::allowed).count();
		}
	}

	private static List<Decision> tryAcquire(ConfigurableApplicationContext instance, int times) {
		RateLimiter limiter = instance.getBean(RateLimiter.class);
		return IntStream.range(0, times).mapToObj((number) -> limiter.acquire("shared", "user:ann").block()).toList();
	}

	private ConfigurableApplicationContext start(TestRedis redis, Duration skew, String clock, String algorithm,
			String unit, String... more) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Instances.class).web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory()
				.registerSingleton("skewed", new WallClock(() -> Instant.now().plus(skew))));
		return builder
			.properties("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"ratelimit.store=redis", "ratelimit.deadline=20s", "ratelimit.redis.key-prefix=" + this.prefix,
					"ratelimit.redis.clock=" + clock, "ratelimit.rules.shared.limit=" + LIMIT + "/" + unit,
					"ratelimit.rules.shared.algorithm=" + algorithm)
			.run(more);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Instances {

	}

}
