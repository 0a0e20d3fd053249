package dev.ratelimit.api;

import dev.ratelimit.http.HttpProbe;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the responses to checks while Redis is unavailable.
 */
class ApiOutageTests {

	@Test
	void anExceededLimitIs429AndOnlyAClosedRuleIs503() {
		try (ConfigurableApplicationContext application = ApiApplication.startWithoutSource(WebApplicationType.SERVLET,
				"--ratelimit.redis.host=127.0.0.1", "--ratelimit.redis.port=1", "--ratelimit.rules.open.key=ip",
				"--ratelimit.rules.open.limit=1/h", "--ratelimit.rules.open.programmatic=true",
				"--ratelimit.rules.closed.key=ip", "--ratelimit.rules.closed.limit=1/h",
				"--ratelimit.rules.closed.programmatic=true", "--ratelimit.rules.closed.failure=closed")) {
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			assertThat(check(port, "open")).isEqualTo(200);
			assertThat(check(port, "open")).isEqualTo(429);
			assertThat(check(port, "closed")).isEqualTo(503);
		}
	}

	private static int check(int port, String rule) {
		String[] fields = { "Authorization", HttpProbe.basic("checker", "secret"), "Content-Type", "application/json" };
		String body = "{\"rule\":\"" + rule + "\",\"subject\":\"ip:192.0.2.1\"}";
		return new HttpProbe(port).send("POST", "/v1/ratelimit/check", body, fields).statusCode();
	}

}
