package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RateLimiter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests that a leaky bucket would delay if there were room to wait. One request
 * proceeds each hour.
 */
class HeldRequestTests {

	@Test
	void withoutRoomToWaitARequestIsRejectedAndChargedNothing() {
		try (ConfigurableApplicationContext application = start(0)) {
			String key = UUID.randomUUID().toString();
			HttpProbe http = http(application);
			assertThat(http.get("/hourly", "X-Key", key).statusCode()).isEqualTo(200);
			for (int i = 0; i < 5; i++) {
				Reply rejected = http.get("/hourly", "X-Key", key);
				assertThat(rejected.statusCode()).isEqualTo(503);
				assertThat(Long.parseLong(rejected.header("Retry-After"))).isBetween(3590L, 3601L);
				assertThat(rejected.header("Cache-Control")).isEqualTo("no-store");
				assertThat(rejected.headers()).doesNotContainKeys("RateLimit", "X-RateLimit-Remaining");
				assertThat(rejected.body()).contains("\"violated-policies\":[\"hourly\"]");
				assertThat(remaining(application, "hourly", key)).isEqualTo(2);
				assertThat(remaining(application, "beside", key)).isEqualTo(99);
				assertThat(remaining(application, "jobs", key)).isEqualTo(10);
			}
		}
	}

	@Test
	void aRequestWithoutRoomToWaitIsNotRemembered() {
		try (ConfigurableApplicationContext application = start(0, "ratelimit.rules.hourly.idempotency=true",
				"ratelimit.rules.beside.idempotency=true")) {
			String key = UUID.randomUUID().toString();
			HttpProbe http = http(application);
			String[] headers = { "X-Key", key, "Idempotency-Key", "a" };
			assertThat(http.send("POST", "/hourly", "X-Key", key).statusCode()).isEqualTo(405);
			assertThat(http.statuses(5, "POST", "/hourly", headers)).containsOnly(503);
			assertThat(remaining(application, "hourly", key)).isEqualTo(2);
			assertThat(remaining(application, "beside", key)).isEqualTo(99);
		}
	}

	@Test
	void requestWithoutDelayNeedsNoRoom() {
		try (ConfigurableApplicationContext application = start(0)) {
			HttpProbe http = http(application);
			for (int i = 0; i < 5; i++) {
				assertThat(http.get("/hourly", "X-Key", "caller-" + i).statusCode()).isEqualTo(200);
			}
		}
	}

	@Test
	void delayedRequestsReleaseTheirRoom() {
		try (ConfigurableApplicationContext application = start(1)) {
			String key = UUID.randomUUID().toString();
			assertThat(http(application).statuses(3, "GET", "/often", "X-Key", key)).containsOnly(200);
		}
	}

	@Test
	void onlyAsManyRequestsAsThereIsRoomForAreDelayed() {
		// The delayed request would last an hour.
		try (ConfigurableApplicationContext application = start(1, "server.shutdown=immediate")) {
			String key = UUID.randomUUID().toString();
			HttpProbe http = http(application);
			assertThat(http.get("/hourly", "X-Key", key).statusCode()).isEqualTo(200);
			List<CompletableFuture<Integer>> waiting = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				waiting.add(CompletableFuture.supplyAsync(() -> http.get("/hourly", "X-Key", key).statusCode(),
						LeaseContract.THREADS));
			}
			assertThat(CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)).join()).isEqualTo(503);
			assertThat(http.statuses(2, "GET", "/hourly", "X-Key", key)).containsOnly(503);
			assertThat(waiting).as("still delayed").anyMatch((request) -> !request.isDone());
		}
	}

	private static long remaining(ConfigurableApplicationContext application, String rule, String key) {
		return application.getBean(RateLimiter.class)
			.peek(rule, "header:" + key)
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static HttpProbe http(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	// The rule 'beside' is evaluated before the rule that delays.
	private static ConfigurableApplicationContext start(int places, String... more) {
		return new SpringApplicationBuilder(DeploymentTests.Application.class).web(WebApplicationType.SERVLET)
			.properties(more)
			.run("--server.port=0", "--ratelimit.servlet.max-waiting=" + places,
					"--ratelimit.defaults.key=header:X-Key", "--ratelimit.rules.hourly.paths=/hourly",
					"--ratelimit.rules.hourly.limit=1/h", "--ratelimit.rules.hourly.burst=3",
					"--ratelimit.rules.hourly.algorithm=leaky-bucket", "--ratelimit.rules.hourly.phase=late",
					"--ratelimit.rules.often.paths=/often", "--ratelimit.rules.often.limit=1/s",
					"--ratelimit.rules.often.burst=5", "--ratelimit.rules.often.algorithm=leaky-bucket",
					"--ratelimit.rules.beside.paths=/hourly", "--ratelimit.rules.beside.limit=100/d",
					"--ratelimit.rules.beside.phase=early", "--ratelimit.rules.jobs.paths=/hourly",
					"--ratelimit.rules.jobs.limit=10", "--ratelimit.rules.jobs.algorithm=concurrency",
					"--ratelimit.rules.jobs.phase=early");
	}

}
