package dev.ratelimit.api;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.test.clients.ClientPrograms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the description of the API is valid OpenAPI 3.1, and that an independent
 * validator accepts every response of every operation.
 */
@Tag("long")
class OpenApiTests {

	// Both values differ from the defaults.
	private static final String PREFIX = "/shop";

	private static final String PATH = "/limits/v2";

	private static final String BASE = PREFIX + PATH;

	private final HttpClient http = HttpClient.newHttpClient();

	private final List<String> exchanges = new ArrayList<>();

	private String origin = "";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void everyOperationAnswersAsDescribed(WebApplicationType type, @TempDir Path directory) throws Exception {
		String description;
		try (ConfigurableApplicationContext application = ApiApplication.start(type,
				"--server.servlet.context-path=" + PREFIX, "--spring.webflux.base-path=" + PREFIX,
				"--ratelimit.api.path=" + PATH, "--ratelimit.rules.charges.paths=/v1/charges",
				"--ratelimit.rules.charges.key=user", "--ratelimit.rules.charges.limit=3/h",
				"--ratelimit.rules.tenants.programmatic=true", "--ratelimit.rules.tenants.key=param:tenant",
				"--ratelimit.rules.tenants.limit=10/h", "--ratelimit.rules.tenants.overrides.fixed.limit=30/h")) {
			this.origin = "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port");
			description = call("GET", "/openapi.json", "reader", "").body();
			decide();
			configure();
			setQuotas();
			reject();
		}
		List<JsonNode> answers = validate(directory, description);
		assertThat(answers).hasSize(this.exchanges.size() + 1)
			.allSatisfy((answer) -> assertThat(answer.get("error").asString()).isEmpty());
		assertThat(new TreeSet<>(answers.stream().skip(1).map((answer) -> answer.get("operation").asString()).toList()))
			.isEqualTo(operations(description));
	}

	private void decide() throws Exception {
		String byRequest = "{\"endpoint\":\"/v1/charges\",\"method\":\"GET\",\"user_id\":\"u_42\",\"ip\":\"1.2.3.4\","
				+ "\"headers\":{\"Accept\":\"*/*\",\"X-A\":[\"b\",\"c\"]},\"cost\":2}";
		expect(200, call("POST", "/check", "checker", byRequest, "Idempotency-Key", "k1"));
		expect(429, call("POST", "/check", "checker", byRequest));
		expect(200, call("POST", "/check", "checker", "{\"rule\":\"tenants\",\"subject\":\"param:a\",\"cost\":1}"));
		expect(200, call("POST", "/check", "checker", "{\"endpoint\":\"/free\"}"));
		expect(400, call("POST", "/check", "checker", "{"));
		expect(404, call("POST", "/check", "checker", "{\"rule\":\"none\",\"subject\":\"a\"}"));
		expect(200, call("GET", "/decision?actor=user:u_42&route=charges&cost=1", "reader", ""));
		expect(200, call("GET", "/decision?actor=user:u_42&route=charges&cost=9", "reader", ""));
		expect(400, call("GET", "/decision?actor=user:u_42&route=charges&plan=none", "reader", ""));
		expect(400, call("GET", "/status/u_42?plan=none", "reader", ""));
		expect(400, call("GET", "/decision?actor=user:u_42&route=charges&cost=0", "reader", ""));
		expect(400, call("GET", "/decision?actor=user:u_42", "reader", ""));
		expect(401, call("GET", "/decision", "", ""));
		expect(400, call("GET", "/decision?actor=user:u_42&route=charges&cost=one", "reader", ""));
		expect(404, call("GET", "/decision?actor=a&route=none", "reader", ""));
		expect(415, call("POST", "/check", "checker", byRequest, "Content-Type", "text/plain"));
		expect(200, call("GET", "/status/u_42", "reader", ""));
	}

	private void configure() throws Exception {
		expect(200, call("GET", "/config", "reader", ""));
		expect(200, call("GET", "/config/charges", "reader", ""));
		expect(404, call("GET", "/config/none", "reader", ""));
		expect(428, call("PUT", "/config/charges", "writer", "{\"limit\":\"9/h\"}"));
		HttpResponse<String> written = call("PUT", "/config/charges", "writer", "{\"limit\":\"9/h\"}", "If-None-Match",
				"*");
		expect(200, written);
		String tag = written.headers().firstValue("ETag").orElseThrow();
		expect(200, call("GET", "/config/charges", "reader", ""));
		expect(412, call("PUT", "/config/charges", "writer", "{\"limit\":\"9/h\"}", "If-Match", "\"999\""));
		expect(400, call("PUT", "/config/charges", "writer", "{\"limit\":\"9/never\"}", "If-Match", tag));
		expect(412, call("DELETE", "/config/charges", "writer", "", "If-Match", "\"999\""));
		expect(428, call("DELETE", "/config/charges", "writer", ""));
		expect(204, call("DELETE", "/config/charges", "writer", "", "If-Match", tag));
		expect(404, call("DELETE", "/config/charges", "writer", "", "If-Match", tag));
	}

	private void setQuotas() throws Exception {
		String quota = "/quotas/acme/routes/tenants";
		expect(204, call("PUT", quota, "writer", "{\"limit\":\"20/h\"}"));
		expect(200, call("GET", quota, "reader", ""));
		expect(200, call("GET", "/quotas/fixed/routes/tenants", "reader", ""));
		expect(404, call("GET", "/quotas/other/routes/tenants", "reader", ""));
		expect(400, call("PUT", quota, "writer", "{\"limit\":\"20/never\"}"));
		expect(404, call("PUT", "/quotas/acme/routes/none", "writer", "{\"limit\":\"20/h\"}"));
		expect(412, call("PUT", quota, "writer", "{\"limit\":\"20/h\"}", "If-Match", "\"999\""));
		expect(412, call("DELETE", quota, "writer", "", "If-Match", "\"999\""));
		expect(204, call("DELETE", quota, "writer", ""));
		expect(404, call("DELETE", quota, "writer", ""));
	}

	// Call each operation without a user, without the authority, and with a body that is
	// too long.
	private void reject() throws Exception {
		String quota = "/quotas/acme/routes/tenants";
		String body = "{\"limit\":\"1/h\"}";
		for (String path : List.of("/openapi.json", "/decision?actor=a&route=charges", "/status/a", "/config",
				"/config/charges", quota)) {
			expect(401, call("GET", path, "", ""));
			expect(403, call("GET", path, "checker", ""));
		}
		for (String path : List.of("/config/charges", quota)) {
			expect(401, call("PUT", path, "", body));
			expect(403, call("PUT", path, "reader", body));
			expect(415, call("PUT", path, "writer", body, "Content-Type", "text/plain"));
			expect(413, call("PUT", path, "writer", "{\"limit\":\"" + "1".repeat(70_000) + "\"}"));
			expect(401, call("DELETE", path, "", ""));
			expect(403, call("DELETE", path, "reader", ""));
		}
		expect(401, call("POST", "/check", "", "{\"endpoint\":\"/\"}"));
		expect(403, call("POST", "/check", "reader", "{\"endpoint\":\"/\"}"));
		expect(413, call("POST", "/check", "checker", "{\"endpoint\":\"" + "x".repeat(70_000) + "\"}"));
	}

	private List<JsonNode> validate(Path directory, String description) throws Exception {
		Path document = Files.writeString(directory.resolve("openapi.json"), description);
		Path lines = Files.write(directory.resolve("exchanges"), this.exchanges);
		return ClientPrograms
			.node("openapi.mjs", document.toString(), lines.toString(), this.origin + BASE + "/openapi.json")
			.stream()
			.map((line) -> JsonMapper.shared().readTree(line))
			.toList();
	}

	private static TreeSet<String> operations(String description) {
		TreeSet<String> operations = new TreeSet<>();
		JsonMapper.shared()
			.readTree(description)
			.get("paths")
			.forEach((path) -> path.forEach((operation) -> operations.add(operation.get("operationId").asString())));
		return operations;
	}

	private HttpResponse<String> call(String method, String path, String user, String body, String... headers)
			throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.origin + BASE + path))
			.method(method, (body.isEmpty()) ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		if (!body.isEmpty() && !List.of(headers).contains("Content-Type")) {
			request.header("Content-Type", "application/json");
		}
		if (!user.isEmpty()) {
			request.header("Authorization", HttpProbe.basic(user, "secret"));
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		HttpResponse<String> response = this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
		this.exchanges
			.add(JsonMapper.shared()
				.writeValueAsString(Map.of("method", method, "path", BASE + path, "sent", body, "status",
						response.statusCode(), "type", response.headers().firstValue("Content-Type").orElse(""),
						"received", response.body())));
		return response;
	}

	private static void expect(int status, HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.request() + " " + response.body()).isEqualTo(status);
	}

}
