package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bans of two instances on one Redis, over HTTP. The second one can be cut off.
 */
@Tag("redis")
class SharedBansTests {

	private static final String DAY = "{\"duration\":\"24h\"}";

	private static final String HERE = "{\"duration\":\"24h\",\"scope\":\"instance\"}";

	private static final Duration KNOWN_EVERYWHERE = Duration.ofMillis(1500);

	private final TestRedis redis = TestRedis.start();

	private final FaultProxy proxy = FaultProxy.to(this.redis.host(), this.redis.port());

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@AfterEach
	void stop() {
		this.first.close();
		this.second.close();
		this.proxy.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bansAndLiftsAreInForceOnBothInstances(WebApplicationType stack) {
		start(stack);
		for (int i = 0; i < 3; i++) {
			assertThat(send(this.first, "POST", "ann", DAY).statusCode()).isEqualTo(200);
			assertThat(isBanned(this.first, "ann")).isTrue();
			Awaitility.await().atMost(KNOWN_EVERYWHERE).until(() -> isBanned(this.second, "ann"));
			assertThat(send(this.second, "DELETE", "ann", "").statusCode()).isEqualTo(200);
			assertThat(isBanned(this.second, "ann")).isFalse();
			Awaitility.await().atMost(KNOWN_EVERYWHERE).until(() -> !isBanned(this.first, "ann"));
		}
		assertThat(send(this.first, "DELETE", "ann", "").statusCode()).isEqualTo(404);
		// Before the other instance has seen the ban.
		assertThat(send(this.first, "POST", "ann", DAY).statusCode()).isEqualTo(200);
		assertThat(send(this.second, "DELETE", "ann", "").statusCode()).isEqualTo(200);
		Awaitility.await().atMost(KNOWN_EVERYWHERE).until(() -> !isBanned(this.first, "ann"));
		assertThat(isBanned(this.second, "ann")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void allBansOfARuleAreLifted(WebApplicationType stack) {
		start(stack);
		for (String user : List.of("ann", "bert", "carl")) {
			assertThat(send(this.first, "POST", user, DAY).statusCode()).isEqualTo(200);
		}
		Awaitility.await().until(() -> isBanned(this.second, "carl"));
		assertThat(liftAll(this.first, "true&subject=user:ann").statusCode()).isEqualTo(400);
		assertThat(liftAll(this.first, "yes").statusCode()).isEqualTo(400);
		assertThat(isBanned(this.first, "ann")).isTrue();
		Reply lifted = liftAll(this.first, "true");
		assertThat(lifted.statusCode()).isEqualTo(200);
		assertThat(lifted.body()).contains("\"lifted\":3").contains("\"left\":0");
		assertThat(isBanned(this.first, "ann") || isBanned(this.first, "bert") || isBanned(this.first, "carl"))
			.isFalse();
		Awaitility.await()
			.atMost(KNOWN_EVERYWHERE)
			.until(() -> !isBanned(this.second, "ann") && !isBanned(this.second, "bert")
					&& !isBanned(this.second, "carl"));
		assertThat(liftAll(this.first, "true").body()).contains("\"lifted\":0");
		assertThat(probe(this.first)
			.send("DELETE", "/actuator/ratelimitlive/bans/other?all=true", "",
					new String[] { "Authorization", HttpProbe.basic("oscar", "secret") })
			.statusCode()).as("an unknown rule").isEqualTo(400);
	}

	private static Reply liftAll(ConfigurableApplicationContext instance, String all) {
		return probe(instance).send("DELETE", "/actuator/ratelimitlive/bans/search?all=" + all, "",
				new String[] { "Authorization", HttpProbe.basic("oscar", "secret") });
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aLiftThatAnInstanceMissesStaysInForce(WebApplicationType stack) {
		start(stack);
		assertThat(send(this.first, "POST", "ann", DAY).statusCode()).isEqualTo(200);
		Awaitility.await().until(() -> isBanned(this.second, "ann"));
		this.proxy.stall();
		assertThat(send(this.first, "DELETE", "ann", "").statusCode()).isEqualTo(200);
		assertThat(send(this.first, "POST", "bert", DAY).statusCode()).isEqualTo(200);
		// As long as the ban would have lasted, a copy of it can come back.
		double remembered = Double.parseDouble(this.redis.command("ZSCORE", key("until"), "search\nuser:ann"));
		assertThat(remembered - System.currentTimeMillis()).isGreaterThan(Duration.ofHours(23).toMillis());
		assertThat(isBanned(this.second, "ann")).isTrue();
		Reply rejected = send(this.second, "POST", "carl", DAY);
		assertThat(rejected.statusCode()).isEqualTo(503);
		assertThat(rejected.body()).contains("\\\"scope\\\":\\\"instance\\\"");
		assertThat(send(this.second, "POST", "dora", HERE).statusCode()).isEqualTo(200);
		assertThat(isBanned(this.second, "dora")).isTrue();
		this.proxy.heal();
		Awaitility.await()
			.until(() -> !isBanned(this.second, "ann") && isBanned(this.second, "bert")
					&& isBanned(this.first, "dora"));
		assertThat(isBanned(this.first, "ann")).isFalse();
		assertThat(isBanned(this.second, "dora")).isTrue();
		assertThat(isBanned(this.first, "carl") || isBanned(this.second, "carl")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void banChangeRejectedWith503IsNotMadeAfterOutage(WebApplicationType stack) {
		start(stack);
		assertThat(send(this.first, "POST", "ann", DAY).statusCode()).isEqualTo(200);
		Awaitility.await().until(() -> isBanned(this.second, "ann"));
		this.redis.pause();
		try {
			assertThat(send(this.first, "DELETE", "ann", "").statusCode()).isEqualTo(503);
			assertThat(send(this.second, "POST", "bert", DAY).statusCode()).isEqualTo(503);
			assertThat(isBanned(this.first, "ann")).isTrue();
			assertThat(isBanned(this.second, "bert")).isFalse();
		}
		finally {
			this.redis.resume();
		}
		// Redis does what waited there before it does this.
		Awaitility.await().until(() -> send(this.first, "POST", "carl", DAY).statusCode() == 200);
		Awaitility.await().until(() -> isBanned(this.second, "carl"));
		assertThat(isBanned(this.first, "ann") && isBanned(this.second, "ann")).isTrue();
		assertThat(isBanned(this.first, "bert") || isBanned(this.second, "bert")).isFalse();
		assertThat(this.redis.command("HEXISTS", key("bans"), "search\nuser:bert")).isEqualTo("0");
	}

	private void start(WebApplicationType stack) {
		this.first = instance(stack, this.redis.host(), this.redis.port());
		this.second = instance(stack, this.proxy.host(), this.proxy.port());
	}

	private static String key(String label) {
		return "rl:bans:{ban}:" + label;
	}

	private static boolean isBanned(ConfigurableApplicationContext instance, String user) {
		int status = probe(instance).get("/search", "Authorization", HttpProbe.basic(user, "secret")).statusCode();
		assertThat(status).isIn(403, 404);
		return status == 403;
	}

	private static Reply send(ConfigurableApplicationContext instance, String method, String user, String body) {
		return probe(instance).send(method, "/actuator/ratelimitlive/bans/search/user:" + user, body, new String[] {
				"Authorization", HttpProbe.basic("oscar", "secret"), "Content-Type", "application/json" });
	}

	private static HttpProbe probe(ConfigurableApplicationContext instance) {
		return new HttpProbe(instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static ConfigurableApplicationContext instance(WebApplicationType stack, String host, int port) {
		return new SpringApplicationBuilder(SharedSwitchesTests.Application.class).web(stack)
			.run("--server.port=0", "--spring.main.banner-mode=off", "--spring.application.name=bans",
					"--ratelimit.redis.host=" + host, "--ratelimit.redis.port=" + port,
					"--ratelimit.rules.search.paths=/search", "--ratelimit.rules.search.key=user",
					"--ratelimit.rules.search.limit=1000000/d", "--ratelimit.bans.enabled=true",
					"--management.endpoints.web.exposure.include=ratelimitlive");
	}

}
