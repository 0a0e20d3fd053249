package dev.ratelimit.fault;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that logs, meters, health, and endpoints contain no secrets, even after failures.
 */
@Tag("redis")
@ExtendWith(OutputCaptureExtension.class)
class SecrecyTests {

	private static final String CALLER = "tell-tale-caller";

	private static final String PASSWORD = "tell-tale-password";

	private static final String[] SHOW_ALL = { "--management.endpoints.web.exposure.include=health,ratelimit",
			"--management.endpoint.health.show-details=always", "--management.endpoint.health.show-components=always" };

	@Test
	void noCallerIsInLogsOrMetersThroughAnOutage(CapturedOutput output) {
		try (TestRedis redis = TestRedis.start();
				Instance instance = Instance.start(WebApplicationType.SERVLET,
						"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
						"--ratelimit.deadline=20s")) {
			askForAll(instance);
			redis.command("SCRIPT", "FLUSH");
			askForAll(instance);
			redis.command("CONFIG", "SET", "maxmemory", "1");
			askForAll(instance);
			redis.kill();
			askForAll(instance);
			redis.restart();
			instance.awaitHealthy();
			askForAll(instance);
			spoil(redis);
			askForAll(instance);
			assertThat(instance.bean(MeterRegistry.class).getMeters()).isNotEmpty()
				.flatExtracting((meter) -> meter.getId().getTags())
				.noneMatch((tag) -> tag.getValue().contains(CALLER));
		}
		assertThat(output.getAll()).contains("is unavailable (connection", "failed with a non-transient error (script")
			.doesNotContain(CALLER);
	}

	// A value of another type under the key of a bucket makes the script fail. Debts may
	// be charged at the same time.
	private static void spoil(TestRedis redis) {
		String replace = "redis.call('DEL', KEYS[1]); return redis.call('HSET', KEYS[1], 'not', 'ours')";
		redis.command("KEYS", "*" + CALLER + "*").lines().forEach((key) -> redis.command("EVAL", replace, "1", key));
	}

	private static void askForAll(Instance instance) {
		try (HttpCaller http = new HttpCaller(instance.port())) {
			for (int i = 0; i < 40; i++) {
				http.get(Target.values()[i % Target.values().length], CALLER);
			}
		}
	}

	@Test
	void noPasswordIsInHealthOrEndpointsOrLogs(CapturedOutput output) {
		try (TestRedis redis = TestRedis.start()) {
			allow(redis);
			try (Instance instance = Instance.start(WebApplicationType.SERVLET, concat(redis, PASSWORD))) {
				HttpProbe http = new HttpProbe(instance.port());
				instance.awaitHealthy();
				assertThat(http.get("/actuator/health/ratelimit").body()).contains("UP").doesNotContain(PASSWORD);
				redis.kill();
				askForAll(instance);
				assertThat(http.get("/actuator/health").body()).contains("DEGRADED").doesNotContain(PASSWORD);
				assertThat(http.get("/actuator/ratelimit").body()).contains("closed").doesNotContain(PASSWORD);
			}
		}
		assertThat(output.getAll()).contains("is unavailable").doesNotContain(PASSWORD);
	}

	@Test
	void noPasswordIsInAFailureToStart(CapturedOutput output) {
		String wrong = PASSWORD + "-mistyped";
		try (TestRedis redis = TestRedis.start()) {
			allow(redis);
			assertThatThrownBy(
					() -> Instance.start(WebApplicationType.SERVLET, concat(redis, wrong, "--ratelimit.store=redis")))
				.hasStackTraceContaining("Redis is unavailable")
				.satisfies((failure) -> assertThat(stackTrace(failure)).doesNotContain(PASSWORD));
			try (Instance instance = Instance.start(WebApplicationType.SERVLET, concat(redis, wrong))) {
				// A single probe may show only that the server closed the connection.
				Awaitility.await()
					.untilAsserted(() -> assertThat(new HttpProbe(instance.port()).get("/actuator/health").body())
						.doesNotContain(PASSWORD)
						.contains("\"DOWN\"", "WRONGPASS"));
			}
		}
		assertThat(output.getAll()).contains("APPLICATION FAILED TO START").doesNotContain(PASSWORD);
	}

	private static void allow(TestRedis redis) {
		redis.command("ACL", "SETUSER", "teller", "on", ">" + PASSWORD, "~*", "+@all");
	}

	private static String[] concat(TestRedis redis, String password, String... more) {
		String[] credentials = { "--spring.data.redis.username=teller", "--spring.data.redis.password=" + password };
		return Stream.of(Instance.redis(redis.host(), redis.port()), SHOW_ALL, credentials, more)
			.flatMap(Arrays::stream)
			.toArray(String[]::new);
	}

	private static String stackTrace(Throwable failure) {
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

}
