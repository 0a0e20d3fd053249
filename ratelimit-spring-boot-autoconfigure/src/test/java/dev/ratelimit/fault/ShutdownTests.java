package dev.ratelimit.fault;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application that stops under load releases all resources.
 */
@Tag("scenario")
@Tag("long")
class ShutdownTests {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void everyRequestUnderWayIsAnsweredAndNothingIsLeft(WebApplicationType stack) {
		Set<Thread> before = ours();
		try (TestRedis redis = TestRedis.start(); FaultProxy proxy = FaultProxy.to(redis.host(), redis.port())) {
			Instance instance = Instance.start(stack, Instance.redis(proxy.host(), proxy.port()));
			HttpLoad load = HttpLoad.start(instance.port(), "ending", 400);
			load.lasts(Duration.ofSeconds(1));
			proxy.delay(Duration.ofMillis(10));
			load.lasts(Duration.ofMillis(200));
			load.endWithServer();
			instance.close();
			load.stop();
			assertThat(load.samples((sample) -> sample.failed() && sample.status() != 0 && !sample.rejectedClosed()))
				.isEmpty();
			assertThat(load.samples((sample) -> sample.status() == 0)).allMatch(Sample::closed);
			awaitNothingLeft(redis, before);
		}
	}

	@Test
	void decisionsUnderWayGoByTheirPolicies() {
		Set<Thread> before = ours();
		try (TestRedis redis = TestRedis.start()) {
			Instance instance = Instance.start(WebApplicationType.NONE, Instance.redis(redis.host(), redis.port())[0],
					Instance.redis(redis.host(), redis.port())[1], "--ratelimit.deadline=20s");
			RateLimiter limiter = instance.bean(RateLimiter.class);
			assertThat(limiter.acquire("open", "user:first").block().allowed()).isTrue();
			redis.pause();
			Mono<List<Boolean>> underWay = Flux.range(0, 50)
				.flatMap((number) -> limiter.acquire((number % 2 == 0) ? "open" : "closed", "user:" + number), 50)
				.map((decision) -> decision.allowed())
				.collectList()
				.cache();
			underWay.subscribe();
			instance.close();
			List<Boolean> allowed = underWay.block(Duration.ofSeconds(5));
			assertThat(allowed).hasSize(50).filteredOn((each) -> each).hasSize(25);
			redis.resume();
			awaitNothingLeft(redis, before);
		}
	}

	private static void awaitNothingLeft(TestRedis redis, Collection<Thread> before) {
		Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
			assertThat(ours()).isSubsetOf(before);
			// This command uses one connection.
			assertThat(redis.command("CLIENT", "LIST").strip().lines()).hasSize(1);
		});
	}

	private static Set<Thread> ours() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("ratelimit-") || thread.getName().startsWith("lettuce-"))
			.collect(Collectors.toSet());
	}

}
