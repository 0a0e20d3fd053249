package dev.ratelimit.sample;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples in the README for the profile {@code regions}: one command starts
 * two regions, each with its own Redis.
 */
@Tag("redis")
class RegionsTests {

	private static final String ALICE = HttpProbe.basic("alice", "alice");

	@ParameterizedTest
	@ValueSource(strings = { "servlet", "reactive" })
	void bothRegionsTogetherAllowTheLimit(String type) {
		try (TestRedis eu = TestRedis.start();
				TestRedis us = TestRedis.start();
				ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class).run(
						"--spring.profiles.active=regions", "--spring.main.web-application-type=" + type,
						"--server.port=0", "--spring.main.banner-mode=off", "--ratelimit.deadline=20s",
						"--ratelimit.warm-up=0", "--eu.redis.port=" + eu.port(), "--us.redis.port=" + us.port())) {
			List<HttpProbe> regions = List.of(
					new HttpProbe(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class)),
					new HttpProbe(context.getBean(SecondInstance.class).port()));
			List<Integer> statuses = new ArrayList<>();
			for (int i = 0; i < 12; i++) {
				statuses.add(regions.get(i % 2).send("GET", "/api/shared", "Authorization", ALICE).statusCode());
				String left = "\"remaining\":" + Math.max(0, 9 - i);
				Awaitility.await()
					.until(() -> regions.stream()
						.allMatch(
								(region) -> region.get("/actuator/ratelimit/shared/user:alice").body().contains(left)));
			}
			assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 429, 429);
		}
	}

}
