package dev.ratelimit.fault;

import java.time.Duration;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an instance without a connection to Redis allows requests by itself, and
 * that another instance then allows only the remaining units of the limit.
 */
@Tag("scenario")
class DebtsOverHttpTests {

	private static final int ALLOWED_ALONE = 15;

	@ParameterizedTest
	@CsvSource({ "SERVLET, token-bucket", "REACTIVE, gcra", "SERVLET, fixed-window", "REACTIVE, sliding-window",
			"SERVLET, sliding-log" })
	void chargesDuringOutageCountForOtherInstances(WebApplicationType stack, String algorithm) {
		try (TestRedis redis = TestRedis.start();
				FaultProxy proxy = FaultProxy.to(redis.host(), redis.port());
				Instance cut = start(stack, algorithm, Instance.redis(proxy.host(), proxy.port()));
				Instance other = start(stack, algorithm, Instance.redis(redis.host(), redis.port()))) {
			cut.awaitHealthy();
			other.awaitHealthy();
			proxy.refuse();
			try (HttpCaller caller = new HttpCaller(cut.port())) {
				Awaitility.await().until(() -> !caller.get(Target.OPEN, "probe").counted());
				assertThat(allowed(caller, ALLOWED_ALONE)).isEqualTo(ALLOWED_ALONE);
			}
			assertThat(redis.command("KEYS", "*bounded*")).isEmpty();
			RateLimiter limiter = other.bean(RateLimiter.class);
			proxy.heal();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> limiter.peek("bounded", "header:ann")
					.block()
					.verdicts()
					.get(0)
					.remaining() == Target.SMALL_LIMIT - ALLOWED_ALONE);
			try (HttpCaller caller = new HttpCaller(other.port())) {
				assertThat(allowed(caller, Target.SMALL_LIMIT)).isEqualTo(Target.SMALL_LIMIT - ALLOWED_ALONE);
			}
		}
	}

	private static Instance start(WebApplicationType stack, String algorithm, String[] redis) {
		// Only a Redis that rejects connections is unavailable.
		return Instance.start(stack, redis[0], redis[1], "--ratelimit.deadline=20s",
				"--ratelimit.rules.bounded.algorithm=" + algorithm);
	}

	private static int allowed(HttpCaller caller, int requests) {
		int allowed = 0;
		for (int i = 0; i < requests; i++) {
			allowed += (caller.get(Target.BOUNDED, "ann").status() == 200) ? 1 : 0;
		}
		return allowed;
	}

}
