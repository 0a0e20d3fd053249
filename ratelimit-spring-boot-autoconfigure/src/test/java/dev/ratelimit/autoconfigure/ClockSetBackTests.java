package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a clock for limits that is set back by half an hour, in an application with all
 * stages before Redis. No client may wait longer than its limit requires.
 */
@RedisTest
class ClockSetBackTests {

	private static final Duration TWO_WINDOWS = Duration.ofSeconds(20);

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-25T12:00:01Z"));

	private final InstantSource clock = this.now::get;

	@ParameterizedTest
	@CsvSource({ "token-bucket, strict", "token-bucket, leased", "gcra, strict", "gcra, leased", "leaky-bucket, strict",
			"fixed-window, strict", "fixed-window, leased", "sliding-window, strict", "sliding-window, leased",
			"sliding-log, strict" })
	void noClientIsToldToWaitForHalfAnHour(String algorithm, String consistency, TestRedis redis) {
		try (ConfigurableApplicationContext instance = start(redis, algorithm, consistency)) {
			RateLimiter limiter = instance.getBean(RateLimiter.class);
			Decision last = tryAcquire(limiter);
			while (last.allowed()) {
				last = tryAcquire(limiter);
			}
			this.now.updateAndGet((before) -> before.minus(Duration.ofMinutes(30)));
			// Earlier rejections are remembered for a while.
			Decision remote = Awaitility.await()
				.until(() -> tryAcquire(limiter), (decision) -> decision.source() == Source.REMOTE);
			assertThat(remote.allowed()).isFalse();
			assertThat(remote.retryAfter())
				.hasValueSatisfying((wait) -> assertThat(wait).isBetween(Duration.ofMillis(1), TWO_WINDOWS));
			this.now.updateAndGet((before) -> before.plus(TWO_WINDOWS));
			Awaitility.await().until(() -> tryAcquire(limiter).allowed());
			long more = 0;
			while (tryAcquire(limiter).allowed()) {
				more++;
			}
			assertThat(more).isBetween(9L, 15L);
		}
	}

	private static Decision tryAcquire(RateLimiter limiter) {
		return limiter.acquire("rule", "user:ann").block();
	}

	private ConfigurableApplicationContext start(TestRedis redis, String algorithm, String consistency) {
		return new SpringApplicationBuilder(Instance.class).web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("clock", new WallClock(this.clock)))
			.properties("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"ratelimit.store=redis", "ratelimit.deadline=20s", "ratelimit.denial-memory=200ms",
					"ratelimit.redis.key-prefix=rl:" + UUID.randomUUID(), "ratelimit.redis.clock=client",
					"ratelimit.rules.rule.limit=10/10s", "ratelimit.rules.rule.algorithm=" + algorithm,
					"ratelimit.rules.rule.consistency=" + consistency)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Instance {

	}

}
