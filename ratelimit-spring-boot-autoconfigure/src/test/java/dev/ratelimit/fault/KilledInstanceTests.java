package dev.ratelimit.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an instance that is killed while its requests hold slots.
 */
@Tag("long")
@Tag("nightly")
@Tag("redis")
class KilledInstanceTests {

	private static final int SLOTS = 5;

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final String[] RULE = { "--ratelimit.deadline=2s", "--ratelimit.rules.slots.programmatic=true",
			"--ratelimit.rules.slots.key=global", "--ratelimit.rules.slots.algorithm=concurrency",
			"--ratelimit.rules.slots.limit=" + SLOTS, "--ratelimit.rules.slots.lease=" + LEASE,
			"--spring.data.redis.repositories.enabled=false" };

	@Test
	void itsSlotsAreFreeAfterTheLease() {
		try (TestRedis redis = TestRedis.start()) {
			String[] arguments = Stream.of(RULE, Instance.redis(redis.host(), redis.port()))
				.flatMap(Stream::of)
				.toArray(String[]::new);
			CompletableFuture<ChildProcess> starting = CompletableFuture
				.supplyAsync(() -> ChildProcess.start(arguments));
			try (Instance other = Instance.start(WebApplicationType.NONE, arguments);
					ChildProcess child = starting.join()) {
				RateLimiter limiter = other.bean(RateLimiter.class);
				assertThat(child.call("hold slots " + SLOTS)).isEqualTo(String.valueOf(SLOTS));
				child.kill();
				assertThat(acquire(limiter).allowed()).isFalse();
				Awaitility.await()
					.atMost(LEASE.plusSeconds(1))
					.until(() -> Stream.generate(() -> acquire(limiter)).limit(SLOTS).allMatch(Decision::allowed));
				assertThat(acquire(limiter).allowed()).isFalse();
			}
		}
	}

	private static Decision acquire(RateLimiter limiter) {
		Decision decision = limiter.acquire("slots", "global").block();
		assertThat(decision.source()).isEqualTo(Source.REMOTE);
		return decision;
	}

}
