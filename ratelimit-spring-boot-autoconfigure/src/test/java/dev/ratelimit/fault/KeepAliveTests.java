package dev.ratelimit.fault;

import java.time.Duration;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers who ask again as soon as they have the answer, over one connection each.
 */
@Tag("long")
@RedisTest
class KeepAliveTests {

	@Test
	void noConnectionIsForgottenOverDecisionsThatTakeTheirTimeOrDoNot(TestRedis redis) {
		try (Instance instance = Instance.start(WebApplicationType.REACTIVE,
				Instance.redis(redis.host(), redis.port()));
				HttpLoad load = HttpLoad.start(instance.port(), "eager", 100_000)) {
			load.lasts(Duration.ofSeconds(4));
			load.stop();
			assertThat(load.samples()).hasSizeGreaterThan(100);
			assertThat(load.samples((sample) -> sample.status() == 0)).isEmpty();
		}
	}

}
