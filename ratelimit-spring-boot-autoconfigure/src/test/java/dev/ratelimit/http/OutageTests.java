package dev.ratelimit.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application while Redis dies and recovers.
 */
@Tag("redis")
class OutageTests {

	private static final String OPEN = "/limited";

	private static final String CLOSED = "/closed";

	/** A killed server fails a call at once, so that a late reply does not count. */
	private static final String PATIENT = "--ratelimit.deadline=20s";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void openRulesCountHereClosedOnesRejectAndLimitsHoldAgainAfterwards(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext application = start(stack, redis, PATIENT)) {
			application.getBean(Flips.class).available().clear();
			HttpProbe http = probe(application);
			assertThat(http.statuses(2, "GET", OPEN)).containsExactly(200, 200);
			redis.kill();
			Reply allowed = http.get(OPEN);
			assertThat(allowed.statusCode()).isEqualTo(200);
			assertThat(allowed.headers()).doesNotContainKeys("RateLimit", "X-RateLimit-Remaining");
			List<Integer> statuses = http.statuses(30, "GET", OPEN);
			assertThat(statuses.subList(0, 2)).containsOnly(200);
			assertThat(statuses.subList(2, 30)).as("the whole limit, counted here").containsOnly(429);
			Reply rejected = http.get(CLOSED);
			assertThat(rejected.statusCode()).isEqualTo(503);
			assertThat(rejected.header("Retry-After")).isEqualTo("1");
			assertThat(rejected.headers()).doesNotContainKeys("RateLimit", "X-RateLimit-Remaining");
			assertThat(rejected.body()).contains("temporary-reduced-capacity");
			assertThat(http.get("/actuator/health/ratelimit").body()).contains("DEGRADED").contains("\"open\"");
			assertThat(http.get("/actuator/health/ratelimit").statusCode()).isEqualTo(200);
			redis.restart();
			await().until(() -> http.get(CLOSED).statusCode() == 200);
			// Redis is empty and is charged for the requests that this instance allowed.
			assertThat(http.statuses(5, "GET", OPEN)).endsWith(429, 429);
			assertThat(http.get(OPEN).headers()).containsKey("RateLimit");
			await().untilAsserted(
					() -> assertThat(application.getBean(Flips.class).available()).containsExactly(false, true));
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void oneRequestIsEnoughToShowTheOutage(WebApplicationType stack) {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext application = start(stack, redis, PATIENT)) {
			HttpProbe http = probe(application);
			assertThat(http.get(CLOSED).statusCode()).isEqualTo(200);
			redis.kill();
			assertThat(http.get(CLOSED).statusCode()).isEqualTo(503);
			await().untilAsserted(() -> assertThat(http.get("/actuator/health/ratelimit").body()).contains("DEGRADED")
				.contains("\"open\""));
			redis.restart();
			await()
				.untilAsserted(() -> assertThat(http.get("/actuator/health/ratelimit").body()).contains("\"closed\""));
		}
	}

	@Test
	void anOutageIsNoWayOutOfALimit() {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext application = start(WebApplicationType.SERVLET, redis, PATIENT)) {
			HttpProbe http = probe(application);
			assertThat(http.statuses(4, "GET", OPEN)).containsExactly(200, 200, 200, 429);
			redis.kill();
			assertThat(http.statuses(30, "GET", OPEN)).containsOnly(429);
			Reply rejected = http.get(OPEN);
			assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(28_000, 28_800);
			assertThat(rejected.header("X-RateLimit-Remaining")).isEqualTo("0");
		}
	}

	@Test
	void aStalledRedisCostsAtMostTheDeadlineAndThenNothing() {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext application = start(WebApplicationType.SERVLET, redis)) {
			HttpProbe http = probe(application);
			http.statuses(20, "GET", "/elsewhere");
			redis.pause();
			List<Integer> statuses = http.statuses(15, "GET", OPEN);
			assertThat(statuses.subList(0, 3)).containsOnly(200);
			assertThat(statuses.subList(3, 15)).as("counted here").containsOnly(429);
			await().until(() -> http.get("/actuator/health/ratelimit").body().contains("\"open\""));
			assertThat(http.get(CLOSED).statusCode()).isEqualTo(503);
			redis.resume();
			await().until(() -> http.get("/actuator/health/ratelimit").body().contains("\"closed\""));
			await().until(() -> http.get(CLOSED).statusCode() == 200);
		}
	}

	@Test
	void anApplicationStartsWithoutRedisAndLimitsOnceItIsThere() {
		try (TestRedis redis = TestRedis.start()) {
			redis.kill();
			try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET, redis, PATIENT)) {
				HttpProbe http = probe(application);
				assertThat(http.statuses(5, "GET", OPEN)).containsExactly(200, 200, 200, 429, 429);
				assertThat(http.get(CLOSED).statusCode()).isEqualTo(503);
				redis.restart();
				await().until(() -> http.get(CLOSED).statusCode() == 200);
				assertThat(http.statuses(4, "GET", OPEN)).endsWith(429);
				assertThat(http.get(OPEN).headers()).containsKey("RateLimit");
			}
		}
	}

	private static HttpProbe probe(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, TestRedis redis, String... more) {
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run(Stream.concat(Stream.of(more),
					Stream.of("--server.port=0", "--spring.data.redis.host=" + redis.host(),
							"--spring.data.redis.port=" + redis.port(), "--ratelimit.defaults.key=global",
							"--ratelimit.rules.closed.paths=" + CLOSED, "--ratelimit.rules.closed.limit=100/d",
							"--ratelimit.rules.closed.failure=closed", "--ratelimit.defaults.status=429",
							"--management.endpoints.web.exposure.include=health",
							"--management.endpoint.health.show-details=always",
							"--management.endpoint.health.show-components=always"))
				.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ ContractApplication.Limited.class, ContractApplication.Plain.class, ContractServletSecurity.class,
			ContractReactiveSecurity.class, Flips.class })
	static class Application {

	}

	static class Flips implements ApplicationListener<PayloadApplicationEvent<StoreStateEvent>> {

		private final List<Boolean> available = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<StoreStateEvent> event) {
			this.available.add(event.getPayload().available());
		}

		List<Boolean> available() {
			return this.available;
		}

	}

}
