package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the switches of two instances on one Redis over HTTP.
 */
@Tag("redis")
class SharedSwitchesTests {

	private static final String SEARCH = "/switches/search";

	private static final String OFF = "{\"mode\":\"off\",\"duration\":\"7d\"}";

	private static final Duration KNOWN_EVERYWHERE = Duration.ofMillis(1500);

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aSwitchThatAnotherInstanceEndsAtOnceIsEndedEverywhere(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext first = instance(stack, redis);
				ConfigurableApplicationContext second = instance(stack, redis)) {
			List<Duration> waits = new ArrayList<>();
			for (int i = 0; i < 11; i++) {
				assertThat(send(first, "POST", SEARCH, OFF).statusCode()).isEqualTo(200);
				assertThat(send(second, "DELETE", SEARCH, "").statusCode()).isEqualTo(200);
				long start = System.nanoTime();
				Awaitility.await()
					.until(() -> !switches(first).contains("search") && !switches(second).contains("search"));
				waits.add(Duration.ofNanos(System.nanoTime() - start));
			}
			assertThat(send(first, "POST", SEARCH, OFF).statusCode()).isEqualTo(200);
			Awaitility.await().until(() -> switches(second).contains("search"));
			// On a busy machine, polls may be late.
			assertThat(waits.stream().sorted().skip(waits.size() / 4).findFirst().orElseThrow())
				.isLessThan(KNOWN_EVERYWHERE);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aChangeThatWasAnsweredWith503DuringAnOutageIsNotMadeAfterIt(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start(); ConfigurableApplicationContext instance = instance(stack, redis)) {
			Awaitility.await().until(() -> switches(instance).contains("\"shared\":true"));
			redis.pause();
			Reply unavailable;
			try {
				unavailable = send(instance, "POST", SEARCH, OFF);
			}
			finally {
				redis.resume();
			}
			assertThat(unavailable.statusCode()).isEqualTo(503);
			assertThat(unavailable.body()).contains("\\\"scope\\\":\\\"instance\\\"");
			Awaitility.await().until(() -> send(instance, "POST", "/switches", OFF).statusCode() == 200);
			assertThat(switches(instance)).doesNotContain("search");
			assertThat(redis.command("HEXISTS", "rl:switches:{live}:switches", "rule:search")).isEqualTo("0");
		}
	}

	private static String switches(ConfigurableApplicationContext instance) {
		return send(instance, "GET", "/switches", "").body();
	}

	private static Reply send(ConfigurableApplicationContext instance, String method, String path, String body) {
		int port = instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new HttpProbe(port).send(method, "/actuator/ratelimitlive" + path, body, new String[] { "Authorization",
				HttpProbe.basic("oscar", "secret"), "Content-Type", "application/json" });
	}

	private static ConfigurableApplicationContext instance(WebApplicationType stack, TestRedis redis) {
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--spring.main.banner-mode=off", "--spring.application.name=switches",
					"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
					"--ratelimit.rules.search.paths=/search", "--ratelimit.rules.search.key=ip",
					"--ratelimit.rules.search.limit=100/d",
					"--management.endpoints.web.exposure.include=ratelimitlive");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ LiveEndpointApplication.Servlet.class, LiveEndpointApplication.Reactive.class })
	static class Application {

	}

}
