package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples on the page and in the README for the profile {@code fleet}: one
 * command starts two instances on one Redis.
 */
@Tag("redis")
@TestInstance(Lifecycle.PER_CLASS)
abstract class FleetContract {

	private static final String OPERATOR = HttpProbe.basic("operator", "operator");

	private final String type;

	private TestRedis redis;

	private ConfigurableApplicationContext context;

	private HttpProbe first;

	private HttpProbe second;

	FleetContract(String type) {
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.redis = TestRedis.start();
		this.context = new SpringApplicationBuilder(SampleApplication.class).run("--spring.profiles.active=fleet",
				"--spring.main.web-application-type=" + this.type, "--server.port=0",
				"--spring.data.redis.host=" + this.redis.host(), "--spring.data.redis.port=" + this.redis.port(),
				"--spring.main.banner-mode=off", "--ratelimit.deadline=20s", "--ratelimit.warm-up=0");
		this.first = new HttpProbe(
				this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
		this.second = new HttpProbe(this.context.getBean(SecondInstance.class).port());
	}

	@AfterAll
	void stop() {
		this.context.close();
		this.redis.close();
	}

	@Test
	void theOperatorOpensTheLivePageFromTheStartPage() {
		assertThat(this.first.get("/").body()).contains("href=\"/actuator/ratelimitui\"");
		assertThat(this.first.get("/actuator/ratelimitui").statusCode()).isEqualTo(401);
		assertThat(asOperator(this.first, "/actuator/ratelimitui").body()).contains("<html");
		assertThat(this.context.getEnvironment().getProperty("server.address")).isEqualTo("127.0.0.1");
	}

	@Test
	void anEditOnOneInstanceIsActiveOnBoth() {
		Reply refused = edit("alice", "limit: 7/min");
		assertThat(refused.statusCode()).as("alice has no authority").isEqualTo(403);
		Reply written = edit("operator", "limit: 7/min");
		assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
		// An instance reports every five seconds.
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(this.second.get("/actuator/ratelimit/per-ip").body()).contains("7/min");
			assertThat(asOperator(this.first, "/actuator/ratelimitlive/instances").body().split("\"host\"")).hasSize(3);
		});
	}

	@Test
	void theApiDecidesForOthers() {
		assertThat(asOperator(this.second, "/v1/ratelimit/decision?actor=ip:192.0.2.1&route=login").statusCode())
			.isEqualTo(200);
	}

	private Reply edit(String user, String definition) {
		return this.first.send("POST", "/actuator/ratelimitlive/rules/per-ip",
				"{\"definition\":\"" + definition + "\",\"version\":\"0\"}",
				new String[] { "Authorization", HttpProbe.basic(user, user), "Content-Type", "application/json" });
	}

	private static Reply asOperator(HttpProbe instance, String path) {
		return instance.get(path, "Authorization", OPERATOR);
	}

}
