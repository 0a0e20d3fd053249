package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RateLimiterOverRedisTests {

	@Test
	void severalRulesAreChargedTogetherOrNotAtAll(TestRedis redis) {
		run(redis, (limiter) -> {
			Decision allowed = limiter
				.acquireBlocking(List.of(RuleCharge.of("user", "user:a", 4), RuleCharge.of("tenant", "tenant:b")));
			assertThat(allowed.source()).isEqualTo(Source.REMOTE);
			assertThat(allowed.verdicts()).extracting(Verdict::remaining).containsExactly(6L, 1L);
			assertThat(limiter
				.acquireBlocking(List.of(RuleCharge.of("user", "user:a", 4), RuleCharge.of("tenant", "tenant:b", 2)))
				.allowed()).isFalse();
			assertThat(limiter.acquireBlocking("user", "user:a", 0).verdicts()).extracting(Verdict::remaining)
				.containsExactly(6L);
		});
	}

	@Test
	void decisionsAreNotEmittedOnTheConnectionsEventLoop(TestRedis redis) {
		run(redis, (limiter) -> {
			for (int i = 0; i < 50; i++) {
				CompletableFuture<String> thread = new CompletableFuture<>();
				limiter.acquire("user", "user:c" + i)
					.subscribe((decision) -> thread.complete(Thread.currentThread().getName()),
							thread::completeExceptionally);
				assertThat(thread).succeedsWithin(Duration.ofSeconds(10))
					.satisfies((name) -> assertThat(name).matches(Thread.currentThread().getName() + "|parallel-\\d+"));
			}
		});
	}

	private static void run(TestRedis redis, Consumer<RateLimiter> test) {
		EnableAuto.plain()
			.withPropertyValues("ratelimit.deadline=5s", "ratelimit.store=redis", "ratelimit.rules.user.limit=10/h",
					"ratelimit.rules.user.programmatic=true", "ratelimit.rules.tenant.limit=2/h",
					"ratelimit.rules.tenant.programmatic=true", "ratelimit.redis.host=" + redis.host(),
					"ratelimit.redis.port=" + redis.port())
			.run((context) -> test.accept(context.getBean(RateLimiter.class)));
	}

}
