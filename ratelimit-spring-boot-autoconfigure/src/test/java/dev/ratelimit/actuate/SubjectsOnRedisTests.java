package dev.ratelimit.actuate;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the state of subjects whose buckets are in Redis, and releases, by the actuator.
 */
@RedisTest
class SubjectsOnRedisTests {

	private static final String KEY = "X-Api-Key";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aReleaseAfterAChangeOfTheLimitForgetsTheUsageBefore(WebApplicationType stack, TestRedis redis) {
		try (ConfigurableApplicationContext context = start(stack, redis.host(), redis.port(),
				"--ratelimit.deadline=20s")) {
			HttpProbe probe = probe(context);
			for (int i = 0; i < 5; i++) {
				assertThat(probe.get("/keyed", KEY, "a").statusCode()).isEqualTo(404);
			}
			assertThat(probe.get("/keyed", KEY, "a").statusCode()).isEqualTo(429);
			assertThat(live(probe, "POST", "rules/keyed", "{\"definition\":\"limit: 3/d\",\"version\":\"0\"}")
				.statusCode()).isEqualTo(200);
			Awaitility.await().untilAsserted(() -> assertThat(probe.get("/actuator/ratelimit").body()).contains("3/d"));
			assertThat(live(probe, "DELETE", "subject?subject=header:a", "").body()).contains("\"reset\":[\"keyed\"]");
			assertThat(probe.get("/keyed", KEY, "a").statusCode()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void noNumbersAreShownWhileRedisDoesNotRespond(WebApplicationType stack, TestRedis redis) {
		try (FaultProxy proxy = FaultProxy.to(redis.host(), redis.port());
				ConfigurableApplicationContext context = start(stack, proxy.host(), proxy.port())) {
			HttpProbe probe = probe(context);
			probe.get("/keyed", KEY, "a");
			Awaitility.await()
				.untilAsserted(() -> assertThat(probe.get("/actuator/ratelimit/keyed/header:a").body())
					.contains("\"remaining\":"));
			proxy.stall();
			Awaitility.await()
				.untilAsserted(() -> assertThat(probe.get("/actuator/ratelimit/keyed/header:a").body())
					.contains("\"source\":\"fallback\""));
			for (String path : new String[] { "/actuator/ratelimit/keyed/header:a",
					"/actuator/ratelimitlive/subject?rule=keyed&subject=header:a",
					"/actuator/ratelimit/explain?path=/keyed&header=X-Api-Key:a" }) {
				assertThat(probe.get(path).body()).as(path).contains("\"keyed\"").doesNotContain("remaining");
			}
			proxy.heal();
		}
	}

	private static Reply live(HttpProbe probe, String method, String path, String body) {
		return probe.send(method, "/actuator/ratelimitlive/" + path, body,
				new String[] { "Content-Type", "application/json" });
	}

	private static HttpProbe probe(ConfigurableApplicationContext context) {
		return new HttpProbe(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, String host, int port,
			String... more) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off",
				"--spring.application.name=subjects-" + stack, "--ratelimit.store=redis",
				"--ratelimit.redis.host=" + host, "--ratelimit.redis.port=" + port,
				"--ratelimit.rules.keyed=/keyed 5/d per header:X-Api-Key", "--ratelimit.live.source=redis",
				"--ratelimit.live.anonymous-writes=true", "--management.endpoints.web.exposure.include=*"));
		arguments.addAll(List.of(more));
		return new SpringApplicationBuilder(ManagementOverHttpTests.Nothing.class).web(stack)
			.run(arguments.toArray(String[]::new));
	}

}
