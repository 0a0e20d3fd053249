package dev.ratelimit.actuate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class ManagementOverHttpTests {

	private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

	private static final String SUBJECT = "/all/ip:2001:db8::/64";

	@TempDir
	Path directory;

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void endpointAnswersForRulesAndSubjects(WebApplicationType type) {
		start(type, "--ratelimit.live.anonymous-writes=true");
		assertThat(get("").body()).contains("\"name\":\"memory\"", "\"all\":{", "\"limit\":\"2/min\"");
		assertThat(get("/all").body()).contains("\"origin\":\"property\"");
		this.context.getBean(RateLimiter.class).acquire("all", "ip:2001:db8::/64").block();
		assertThat(get(SUBJECT).body()).contains("\"subject\":\"ip:2001:db8::/64\"", "\"remaining\":1");
		assertThat(send("DELETE", "/actuator/ratelimit" + SUBJECT).statusCode()).isEqualTo(204);
		assertThat(get(SUBJECT).body()).contains("\"remaining\":2");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aResetWithoutSpringSecurityIsForbiddenUnlessTheApplicationPermitsAnonymousWrites(WebApplicationType type) {
		start(type);
		assertThat(send("DELETE", "/actuator/ratelimit" + SUBJECT)).satisfies((reply) -> {
			assertThat(reply.statusCode()).isEqualTo(403);
			assertThat(reply.body()).contains("resets need the authority RATELIMIT_OPERATE or RATELIMIT_WRITE");
		});
		assertThat(send("DELETE", "/actuator/ratelimit/nope/user:a").statusCode()).as("whether it exists or not")
			.isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ruleThatIsNotThereIsNotFound(WebApplicationType type) {
		start(type, "--ratelimit.live.anonymous-writes=true");
		for (Reply reply : List.of(get("/nope"), get("/nope/user:a"),
				send("DELETE", "/actuator/ratelimit/nope/user:a"))) {
			assertThat(reply.statusCode()).isEqualTo(404);
			assertThat(reply.body()).contains("there is no rule 'nope'");
		}
		assertThat(send("DELETE", "/actuator/ratelimit/all").statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void managementIsNeverLimited(WebApplicationType type) {
		start(type);
		for (int i = 0; i < 5; i++) {
			assertThat(get("").statusCode()).isEqualTo(200);
		}
		assertThat(send("GET", "/elsewhere").statusCode()).isEqualTo(404);
		assertThat(send("GET", "/elsewhere").statusCode()).isEqualTo(404);
		assertThat(send("GET", "/elsewhere").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void degradedLimiterLeavesTheApplicationInItsLoadBalancer(WebApplicationType type) {
		start(type, "--spring.data.redis.port=1", "--management.health.redis.enabled=false");
		Reply own = send("GET", "/actuator/health/ratelimit");
		assertThat(own.body()).contains("\"status\":\"DEGRADED\"", "\"circuit\":\"open\"");
		assertThat(own.statusCode()).isEqualTo(200);
		assertThat(send("GET", "/actuator/health").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void doctorTellsWhatRequestsShow(WebApplicationType type) {
		start(type);
		// Spring Boot 4.1.1 includes a version of Reactor Netty that the doctor reports.
		assertThat(get("/doctor").body().replaceAll("\\{\"code\":\"RL019\"[^}]*}", "")).isEqualTo("{\"findings\":[]}");
		for (int i = 0; i < 12; i++) {
			new HttpProbe(port()).get("/elsewhere", "Origin", "https://page.example", "X-Forwarded-For", "203.0.113.7");
		}
		// WebFlux observes a rejection after its response is sent.
		Awaitility.await().until(() -> get("/doctor").body().contains("\"count\":10"));
		assertThat(get("/doctor").body())
			.contains("\"code\":\"RL001\"", "12 of 12 sampled requests", "\"code\":\"RL011\"", "\"count\":10")
			.doesNotContain("203.0.113.7", "page.example", "127.0.0.1");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void minutesBeyondAnyBoundAreABadRequest(WebApplicationType type) {
		start(type, "--ratelimit.telemetry.top=true", "--ratelimit.live.source=file",
				"--ratelimit.live.file=" + this.directory.resolve("rules.yml"));
		String top = "/actuator/ratelimitlive/top?minutes=";
		assertThat(send("GET", top + "15").statusCode()).isEqualTo(200);
		for (String minutes : List.of("0", "-1", "121", "2147483648", "99999999999", "-99999999999",
				"99999999999999999999999", "x", "1.5", "")) {
			Reply reply = send("GET", top + minutes);
			assertThat(reply.statusCode()).as("%s: %s", minutes, reply.body()).isEqualTo(400);
			assertThat(reply.body()).contains("'minutes'");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void rejectedAddressesAreFoundByTheirNetwork(WebApplicationType type) {
		start(type, "--ratelimit.telemetry.top=true", "--ratelimit.telemetry.subjects=plain",
				"--ratelimit.live.source=file", "--ratelimit.live.file=" + this.directory.resolve("rules.yml"));
		RateLimiter limiter = this.context.getBean(RateLimiter.class);
		for (int i = 0; i < 4; i++) {
			limiter.acquire("all", "ip:2001:db8::/64").block();
		}
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(send("GET", "/actuator/ratelimitlive/top?subject=ip:2001:db8::7").body())
				.contains("\"subject\":\"ip:2001:db8::/64\""));
	}

	private void start(WebApplicationType type, String... arguments) {
		this.context.close();
		this.context = new SpringApplicationBuilder(Nothing.class).web(type)
			.properties("server.port=0", "ratelimit.rules.all.paths=/**", "ratelimit.rules.all.limit=2/min",
					"ratelimit.rules.all.key=ip", "management.endpoints.web.exposure.include=*",
					"management.endpoint.health.show-details=always")
			.run(arguments);
	}

	private Reply get(String path) {
		return send("GET", "/actuator/ratelimit" + path);
	}

	private Reply send(String method, String path) {
		return new HttpProbe(port()).send(method, path);
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = { SECURITY + "SecurityAutoConfiguration",
			SECURITY + "UserDetailsServiceAutoConfiguration", SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
			SECURITY + "actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration",
			SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
			SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration" })
	static class Nothing {

	}

}
