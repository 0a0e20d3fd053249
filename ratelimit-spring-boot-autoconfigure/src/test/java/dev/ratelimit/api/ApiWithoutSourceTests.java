package dev.ratelimit.api;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the API of an application whose rules are in its properties or in a file.
 */
class ApiWithoutSourceTests {

	private ConfigurableApplicationContext application = new GenericApplicationContext();

	@AfterEach
	void stop() {
		this.application.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void servesDecisionsAndRulesOfTheApplication(WebApplicationType type) {
		start(type);
		assertThat(send("POST", "checker", "/check", "{\"endpoint\":\"/v1/charges\",\"ip\":\"192.0.2.1\"}"))
			.satisfies((reply) -> assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200))
			.satisfies((reply) -> assertThat(reply.body()).contains("\"remaining\":2"));
		assertThat(send("GET", "reader", "/config", "").body()).contains("\"charges\"");
		assertThat(send("GET", "nobody", "/config", "").statusCode()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void servesRulesOfAFile(WebApplicationType type, @TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("rules.yaml"), "rules: {charges: {limit: 7/h}}");
		start(type, "--ratelimit.live.source=file", "--ratelimit.live.file=" + file);
		assertThat(send("GET", "reader", "/config/charges", "").body()).contains("7/h");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, spring.mvc.servlet.path=/v1, ratelimit/",
			"REACTIVE, spring.webflux.base-path=/v1, /ratelimit" })
	void bodiesAreBoundedBelowAnyPath(WebApplicationType type, String property, String path) {
		start(type, "--" + property, "--ratelimit.api.path=" + path);
		assertThat(
				send("POST", "checker", "/check", "{\"endpoint\":\"/v1/charges\",\"ip\":\"192.0.2.1\"}").statusCode())
			.isEqualTo(200);
		assertThat(sendLarge("{\"endpoint\":\"/" + "x".repeat(70_000) + "\"}").statusCode()).isEqualTo(413);
		assertThat(send("GET", "reader", "/config", "").statusCode()).isEqualTo(200);
		assertThat(send("GET", "reader", "/config/charges", "").body()).contains("\"rule_id\":\"charges\"");
		assertThat(send("GET", "reader", "/quotas/acme/routes/charges", "").body()).contains("override");
	}

	private void start(WebApplicationType type, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("--ratelimit.rules.charges.paths=/v1/charges", "--ratelimit.rules.charges.key=ip",
				"--ratelimit.rules.charges.limit=3/h"));
		this.application = ApiApplication.startWithoutSource(type, all.toArray(String[]::new));
	}

	// In one write, so that the body does not arrive after the server has closed the
	// connection.
	private Reply sendLarge(String body) {
		return http().sendRaw("POST /v1/ratelimit/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
				+ HttpProbe.basic("checker", "secret")
				+ "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + body.length()
				+ "\r\n\r\n" + body);
	}

	private HttpProbe http() {
		return new HttpProbe(this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private Reply send(String method, String user, String path, String body) {
		return http().send(method, "/v1/ratelimit" + path, body,
				new String[] { "Authorization", HttpProbe.basic(user, "secret"), "Content-Type", "application/json" });
	}

}
