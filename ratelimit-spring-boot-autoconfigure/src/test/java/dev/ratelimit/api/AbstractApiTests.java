package dev.ratelimit.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.live.MemoryRuleSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.security.authentication.TestingAuthenticationToken;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the guarantees of the API for its clients, on every stack.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractApiTests {

	private final HttpClient http = HttpClient.newHttpClient();

	private final WebApplicationType type;

	private ConfigurableApplicationContext application;

	AbstractApiTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.application = ApiApplication.start(this.type, "--ratelimit.plan=authority:PLAN_",
				"--ratelimit.rules.charges.paths=/v1/charges", "--ratelimit.rules.charges.key=user",
				"--ratelimit.rules.charges.limit=3/h", "--ratelimit.rules.charges.plans.paid.limit=10/h",
				"--ratelimit.rules.charges.phase=late", "--ratelimit.rules.charges.idempotency=true",
				"--ratelimit.rules.routes.paths=/routes/**", "--ratelimit.rules.routes.key=ip,route",
				"--ratelimit.rules.routes.limit=10/h", "--ratelimit.rules.addresses.paths=/v1/charges",
				"--ratelimit.rules.addresses.key=ip", "--ratelimit.rules.addresses.limit=5/h",
				"--ratelimit.rules.addresses.phase=early", "--ratelimit.rules.create-order.programmatic=true",
				"--ratelimit.rules.create-order.key=ip", "--ratelimit.rules.create-order.limit=10/h",
				"--ratelimit.rules.steps.programmatic=true", "--ratelimit.rules.steps.key=header:X-Step",
				"--ratelimit.rules.steps.limits=10/h,15/d", "--ratelimit.rules.retired.programmatic=true",
				"--ratelimit.rules.retired.key=ip", "--ratelimit.rules.retired.limit=1/h",
				"--ratelimit.rules.retired.mode=off", "--ratelimit.bans.enabled=true",
				"--ratelimit.rules.exports.paths=/exports", "--ratelimit.rules.exports.limit=2",
				"--ratelimit.rules.exports.algorithm=concurrency", "--ratelimit.rules.managed=/actuator/** 5/h per ip",
				"--ratelimit.rules.reports=/reports 100/h per user", "--ratelimit.rules.reports.plans.pro=2 concurrent",
				"--ratelimit.rules.tenants.programmatic=true", "--ratelimit.rules.tenants.key=param:tenant,route",
				"--ratelimit.rules.tenants.limit=10/h", "--ratelimit.rules.tenants.overrides.fixed=30/h",
				"--ratelimit.rules.search-web.paths=/search/web", "--ratelimit.rules.search-web.key=param:tenant",
				"--ratelimit.rules.search-web.limit=10/h", "--ratelimit.namespaces.search-team.prefix=search-",
				"--ratelimit.namespaces.search-team.paths=/search/**",
				"--ratelimit.namespaces.search-team.authorities=TEAM_SEARCH",
				"--ratelimit.namespaces.identity.prefix=login",
				"--ratelimit.namespaces.identity.authorities=TEAM_IDENTITY", "--ratelimit.deny=9.9.9.9");
	}

	@AfterAll
	void stop() {
		this.application.close();
	}

	@Test
	void checksARequestAsIfTheApplicationHadReceivedIt() throws Exception {
		String user = name();
		HttpResponse<String> first = check(
				"{\"user_id\":\"" + user + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(1) + "\"}");
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(json(first)).containsEntry("allowed", true)
			.containsEntry("remaining", 2)
			.containsEntry("limit", 3)
			.containsEntry("reason", "within_limits")
			.containsKey("reset_at");
		assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("2");
		assertThat(first.headers().firstValue("RateLimit").orElseThrow()).contains("\"charges\";r=2",
				"\"addresses\";r=4");
		check("{\"user_id\":\"" + user + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(1) + "\",\"cost\":2}");
		HttpResponse<String> rejected = check(
				"{\"user_id\":\"" + user + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(2) + "\"}");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(json(rejected)).containsEntry("allowed", false)
			.containsEntry("remaining", 0)
			.containsEntry("retry_after", Integer.valueOf(rejected.headers().firstValue("Retry-After").orElseThrow()))
			.containsEntry("reason", "limit_exceeded");
		// A unit takes twenty minutes, of which some seconds may have elapsed.
		assertThat(rejected.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1140L, 1200L);
		assertThat(status("ip:" + ip(2))).as("nothing was charged")
			.contains("\"addresses\"")
			.contains("\"remaining\":5");
	}

	@Test
	void appliesThePlanThatTheCheckNames() throws Exception {
		HttpResponse<String> paid = check("{\"user_id\":\"" + name() + "\",\"endpoint\":\"/v1/charges\",\"ip\":\""
				+ ip(3) + "\",\"plan\":\"paid\",\"cost\":4}");
		assertThat(paid.statusCode()).isEqualTo(200);
		assertThat(paid.body()).contains("\"remaining\":6");
	}

	@Test
	void chargesTheRouteOfTheHandlerThatWouldServeTheRequest() throws Exception {
		for (String endpoint : List.of("/routes/1:9", "/routes/2:8", "/routes/no/handler:9")) {
			String[] expected = endpoint.split(":");
			HttpResponse<String> checked = check(
					"{\"user_id\":\"" + name() + "\",\"endpoint\":\"" + expected[0] + "\",\"ip\":\"" + ip(40) + "\"}");
			assertThat(json(checked)).as(endpoint).containsEntry("remaining", Integer.valueOf(expected[1]));
		}
	}

	// Java URIs do not contain these characters, but other services may accept them.
	@ParameterizedTest
	@ValueSource(strings = { "/routes/1?x=a|b", "/routes/1?x={%22}", "/routes/1?x=%zz^`", "/routes/ä|?[x]=<>",
			"/routes/no|handler", "/routes/1?x=\\ud83d\\ude00\\\\" })
	void checksRequestsThatAreNoUris(String endpoint) throws Exception {
		HttpResponse<String> checked = check("{\"endpoint\":\"" + endpoint + "\",\"ip\":\"" + ip(41) + "\"}");
		assertThat(checked.statusCode()).as(checked.body()).isEqualTo(200);
		assertThat(json(checked)).containsKey("remaining");
	}

	// A server may serve the plain path for any of these forms.
	@ParameterizedTest
	@ValueSource(strings = { "/x/../forms/1", "/forms/./1", "//forms//1", "/forms/1/", "/forms/1;x=y", "/forms;x=y/1",
			"/%66orms/1", "/forms%2F1", "/forms/x/%2e%2e/1", "/../forms/1", "/x/..;y=z/forms/1", "/x/%5c../forms/1",
			"/forms/1?x=y", "/forms/1/#x", "/forms/1#x?y", "/x/%2e%2e%2fforms%2f1" })
	void countsAPathInEveryForm(String endpoint) throws Exception {
		String address = "2001:db8:" + Integer.toHexString(endpoint.hashCode() & 0xffff) + "::1";
		List<Object> left = new ArrayList<>();
		for (String form : List.of("/forms/1", endpoint, "/forms/1", endpoint)) {
			left.add(json(check("{\"endpoint\":\"" + form + "\",\"ip\":\"" + address + "\"}")).get("remaining"));
		}
		assertThat(left).containsExactly(9, 8, 7, 6);
	}

	// A server normalizes any of these separators between the segments of a path.
	@Test
	void noFormOfAPathIsAWayAroundItsRule() throws Exception {
		Random random = new Random(26);
		for (int i = 0; i < 60; i++) {
			String endpoint = separator(random) + ((random.nextBoolean()) ? "forms" : "%66%6frms;a=b")
					+ separator(random) + ((random.nextBoolean()) ? "1" : "%31;v")
					+ ((random.nextBoolean()) ? "" : separator(random));
			String address = "2001:db8:1:" + Integer.toHexString(i) + "::1";
			HttpResponse<String> checked = check("{\"endpoint\":\"" + endpoint + "\",\"ip\":\"" + address + "\"}");
			assertThat(json(checked)).as(endpoint).containsEntry("remaining", 9);
		}
	}

	private static String separator(Random random) {
		List<String> separators = List.of("/", "//", "/./", "/.;a=b/", "/x/../", "/x/%2e%2E/", "/%2e/", "%2f", "%2F");
		StringBuilder separator = new StringBuilder("/");
		for (int i = random.nextInt(3); i > 0; i--) {
			separator.append(separators.get(random.nextInt(separators.size())));
		}
		return separator.toString();
	}

	@ParameterizedTest
	@ValueSource(strings = { "action=refund", "%61ction=refund", "action=re%66und", "a=1&action=refund" })
	void findsTheHandlerThatAParameterSelects(String query) throws Exception {
		HttpResponse<String> checked = check("{\"endpoint\":\"/chosen?" + query + "\",\"ip\":\"" + ip(42) + "\"}");
		assertThat(checked.body()).contains("\"name\":\"chosen\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "forms/1", "", "http://localhost/forms/1", "*" })
	void rejectsEndpointsThatAreNoPaths(String endpoint) throws Exception {
		HttpResponse<String> rejected = check("{\"endpoint\":\"" + endpoint + "\"}");
		assertThat(rejected.statusCode()).isEqualTo(400);
		assertThat(rejected.body()).contains("the path must start with '/'");
	}

	@Test
	void ignoresForwardingHeaders() throws Exception {
		check("{\"user_id\":\"" + name() + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(4)
				+ "\",\"headers\":{\"X-Forwarded-For\":\"" + ip(5) + "\",\"Forwarded\":\"for=" + ip(5) + "\"}}");
		assertThat(status("ip:" + ip(4))).contains("\"remaining\":4");
		assertThat(status("ip:" + ip(5))).contains("\"remaining\":5");
	}

	@Test
	void rejectsDeniedAddresses() throws Exception {
		HttpResponse<String> banned = check("{\"endpoint\":\"/v1/charges\",\"ip\":\"9.9.9.9\"}");
		assertThat(banned.statusCode()).isEqualTo(429);
		assertThat(json(banned)).containsEntry("reason", "deny_listed").doesNotContainKey("retry_after");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Idempotency-Key", "X-Idempotency-Key" })
	void retriesOfACheckAreFree(String header) throws Exception {
		String body = "{\"user_id\":\"" + name() + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(header.length())
				+ "\",\"cost\":2}";
		String key = name();
		HttpResponse<String> first = post("/v1/ratelimit/check", body, "checker", header, key);
		HttpResponse<String> retry = post("/v1/ratelimit/check", body, "checker", header, key);
		assertThat(json(first)).containsEntry("allowed", true);
		assertThat(json(retry)).containsEntry("allowed", true).containsEntry("reason", "replayed");
		assertThat(post("/v1/ratelimit/check", body, "checker", header, name()).statusCode()).isEqualTo(429);
	}

	@Test
	void checksOneRule() throws Exception {
		String body = "{\"rule\":\"create-order\",\"subject\":\"ip:" + ip(7) + "\",\"cost\":4}";
		assertThat(json(check(body))).containsEntry("remaining", 6).containsEntry("limit", 10);
		assertThat(json(check(body))).containsEntry("remaining", 2);
		assertThat(check(body).statusCode()).isEqualTo(429);
	}

	@Test
	void aRuleThatIsOffAllowsAndAPausedSubjectIsRejected() throws Exception {
		assertThat(check("{\"rule\":\"retired\",\"subject\":\"ip:" + ip(42) + "\",\"cost\":50}").statusCode())
			.isEqualTo(200);
		String paused = "{\"rule\":\"create-order\",\"subject\":\"ip:" + ip(43) + "\"}";
		assertThat(check(paused).statusCode()).isEqualTo(200);
		this.application.getBean(RateLimiter.class)
			.pause("create-order", "ip:" + ip(43), Duration.ofMinutes(5))
			.block(Duration.ofSeconds(10));
		assertThat(json(check(paused))).containsEntry("allowed", false).containsEntry("reason", "paused");
	}

	@Test
	void forecastsWithoutCharging() throws Exception {
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> forecast = get(
					"/v1/ratelimit/decision?actor=ip:" + ip(8) + "&route=create-order&cost=10", "reader");
			assertThat(json(forecast)).containsEntry("allow", true)
				.containsEntry("limit", 10)
				.containsEntry("remaining", 10)
				.containsKey("resetAt");
		}
		long beginNanos = System.nanoTime();
		check("{\"rule\":\"create-order\",\"subject\":\"ip:" + ip(8) + "\",\"cost\":9}");
		Map<String, Object> forecast = json(
				get("/v1/ratelimit/decision?actor=ip:" + ip(8) + "&route=create-order&cost=2", "reader"));
		int seconds = (int) Duration.ofNanos(System.nanoTime() - beginNanos).toSeconds();
		assertThat(forecast).containsEntry("allow", false).containsEntry("remaining", 1);
		assertThat((Integer) forecast.get("retryAfter")).isBetween(360 - seconds - 1, 360);
	}

	@Test
	void forecastsNoWaitIfTheCostNeverFitsOneOfTheLimits() throws Exception {
		String subject = "header:" + name();
		check("{\"rule\":\"steps\",\"subject\":\"" + subject + "\",\"cost\":10}");
		assertThat(json(get("/v1/ratelimit/decision?actor=" + subject + "&route=steps&cost=6", "reader")))
			.containsEntry("allow", false)
			.containsKey("retryAfter");
		assertThat(json(get("/v1/ratelimit/decision?actor=" + subject + "&route=steps&cost=15", "reader")))
			.containsEntry("allow", false)
			.doesNotContainKey("retryAfter");
	}

	@Test
	void readsTheLimitsOfAPlan() throws Exception {
		String user = "user:" + name();
		String decision = "/v1/ratelimit/decision?route=charges&actor=" + user + "&cost=5&plan=";
		assertThat(json(get(decision + "paid", "reader"))).containsEntry("allow", true).containsEntry("limit", 10);
		assertThat(json(get(decision, "reader"))).containsEntry("allow", false).containsEntry("limit", 3);
		HttpResponse<String> unknown = get(decision + "gold", "reader");
		assertThat(unknown.statusCode()).isEqualTo(400);
		assertThat(json(unknown).get("detail").toString()).contains("has no plan 'gold'");
		check("{\"user_id\":\"" + user.substring(5) + "\",\"endpoint\":\"/v1/charges\",\"plan\":\"paid\",\"cost\":4}");
		assertThat(status(user + "?plan=paid")).contains("\"remaining\":6").doesNotContain("\"limit\":3,");
		assertThat(status(user)).contains("\"remaining\":3").doesNotContain("\"limit\":10,");
		assertThat(get("/v1/ratelimit/status/" + user + "?plan=gold", "reader").statusCode()).isEqualTo(400);
	}

	@Test
	void showsTheStatusOfASubject() throws Exception {
		String user = name();
		check("{\"user_id\":\"" + user + "\",\"endpoint\":\"/v1/charges\",\"ip\":\"" + ip(9) + "\"}");
		assertThat(withoutTimes(status(user))).isEqualTo(withoutTimes(status("user:" + user)))
			.contains("\"charges\"", "\"remaining\":2");
		assertThat(status("ip:" + ip(9))).contains("\"addresses\"", "\"create-order\"")
			.as("anonymous clients")
			.contains("{\"name\":\"charges\",\"limit\":3,\"remaining\":3,");
	}

	@Test
	void anIpv6AddressIsCountedByItsNetwork() throws Exception {
		String network = "ip:2001:db8:77:" + Integer.toHexString(ThreadLocalRandom.current().nextInt(1, 0xffff));
		String charge = "{\"rule\":\"create-order\",\"subject\":\"" + network;
		assertThat(check(charge + "::7\"}").statusCode()).isEqualTo(200);
		assertThat(check(charge + "::/64\"}").statusCode()).isEqualTo(200);
		assertThat(withoutTimes(status(network + "::9"))).isEqualTo(withoutTimes(status(network + "::/64")))
			.isNotEqualTo(withoutTimes(status("ip:2001:db8:78:1::/64")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{                                                          | not a JSON object
			[]                                                         | not a JSON object
			null                                                       | not a JSON object
			{"user_id":"u"}                                            | 'endpoint' is missing
			{"endpoint":"charges"}                                     | must start with '/'
			{"endpoint":7}                                             | 'endpoint' must be a string
			{"endpoint":"/v1/charges","cost":0}                        | 'cost' must be a whole number of at least 1
			{"endpoint":"/v1/charges","cost":1.5}                      | 'cost' must be a whole number of at least 1
			{"endpoint":"/v1/charges","costs":1}                       | unknown members [costs]
			{"endpoint":"/v1/charges","headers":[]}                    | 'headers' must be an object
			{"rule":"create-order"}                                    | 'subject' is missing
			{"rule":"create-order","subject":" "}                      | 'subject' is missing
			{"endpoint":"/v1/charges","ip":"banana"}                   | 'ip' must be an IPv4 or IPv6 address
			{"rule":"create-order","subject":"a","ip":"1.1.1.1"}       | unknown members [ip]
			{"rule":"exports","subject":"ip:1.1.1.1"}                  | limits concurrent requests
			{"endpoint":"/exports"}                                    | limits concurrent requests
			{"endpoint":"/reports","plan":"pro"}                       | limits concurrent requests
			""")
	void rejectsWhatItCannotRead(String body, String reason) throws Exception {
		HttpResponse<String> rejected = check(body);
		assertThat(rejected.statusCode()).isEqualTo(400);
		assertThat(rejected.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
		assertThat(json(rejected).get("detail").toString()).contains(reason);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"endpoint":"/actuator/health","ip":"192.0.2.71"}                  | "remaining":4
					{"method":"POST","endpoint":"/actuator/env","ip":"192.0.2.72"}     | "remaining":4
					{"method":"OPTIONS","endpoint":"/routes/a","ip":"192.0.2.73","headers":{"Origin":"https://a.example","Access-Control-Request-Method":"POST"}} | "remaining":9
					""")
	void exemptsNoRequest(String body, String remaining) throws Exception {
		HttpResponse<String> reply = check(body);
		assertThat(reply.statusCode()).isEqualTo(200);
		assertThat(reply.body()).contains(remaining);
	}

	@Test
	void doesNotKnowEveryRule() throws Exception {
		assertThat(check("{\"rule\":\"none\",\"subject\":\"ip:1.1.1.1\"}").statusCode()).isEqualTo(404);
		assertThat(get("/v1/ratelimit/decision?actor=a&route=none", "reader").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "nobody, 403", "reader, 403", "writer, 403", "'', 401" })
	void requiresAnAuthorityToCheck(String user, int status) throws Exception {
		HttpResponse<String> rejected = post("/v1/ratelimit/check", "{\"endpoint\":\"/v1/charges\"}", user);
		assertThat(rejected.statusCode()).isEqualTo(status);
		assertThat(json(rejected).get("detail").toString()).startsWith("checks need the authority RATELIMIT_CHECK");
	}

	@ParameterizedTest
	@ValueSource(strings = { "decision?actor=a&route=charges", "status/u_42", "openapi.json" })
	void requiresAnAuthorityToRead(String path) throws Exception {
		assertThat(get("/v1/ratelimit/" + path, "checker").statusCode()).isEqualTo(403);
		assertThat(get("/v1/ratelimit/" + path, "").statusCode()).isEqualTo(401);
		assertThat(get("/v1/ratelimit/" + path, "reader").statusCode()).isEqualTo(200);
	}

	@Test
	void boundsBodies() throws Exception {
		String name = name();
		String large = "{\"endpoint\":\"/v1/charges\",\"user_id\":\"" + "x".repeat(70_000) + "\"}";
		// In one write, so that the body does not arrive after the server has closed the
		// connection.
		HttpProbe probe = new HttpProbe(
				this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
		assertThat(probe
			.sendRaw("POST /v1/ratelimit/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
					+ HttpProbe.basic("checker", "secret")
					+ "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + large.length()
					+ "\r\n\r\n" + large)
			.statusCode()).isEqualTo(413);
		BodyPublisher chunked = BodyPublishers.fromPublisher(BodyPublishers.ofString("{\"endpoint\":\"/\"}"));
		HttpRequest.Builder request = request("/v1/ratelimit/check", "checker").version(HttpClient.Version.HTTP_1_1)
			.header("Content-Type", "application/json");
		assertThat(send(request.POST(chunked)).statusCode()).isEqualTo(411);
		assertThat(status(name)).contains("\"remaining\":3");
	}

	@Test
	void aBodyThatIsTooLongIsRejectedAlthoughItIsNotSent() throws Exception {
		int port = this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(30_000);
			String head = "POST /v1/ratelimit/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
					+ HttpProbe.basic("checker", "secret")
					+ "\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{";
			socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
				.isEqualTo("HTTP/1.1 413");
		}
	}

	@Test
	void takesJsonOnly() throws Exception {
		HttpRequest.Builder request = request("/v1/ratelimit/check", "checker").header("Content-Type", "text/plain");
		assertThat(send(request.POST(BodyPublishers.ofString("{\"endpoint\":\"/v1/charges\"}"))).statusCode())
			.isEqualTo(415);
	}

	@Test
	void noRuleLimitsTheApiItself() throws Exception {
		assertThat(get("/v1/ratelimit/openapi.json", "reader").headers().map()).doesNotContainKey("RateLimit");
	}

	@Test
	void changesARuleWithTheTagThatWasRead() throws Exception {
		HttpResponse<String> before = get("/v1/ratelimit/config/addresses", "reader");
		assertThat(before.statusCode()).isEqualTo(200);
		assertThat(before.headers().firstValue("ETag")).contains("\"0\"");
		assertThat(before.body()).contains("\"effective\"").doesNotContain("\"definition\"");
		HttpResponse<String> written = put("addresses", "{\"limit\":\"50/h\"}", "writer", "If-None-Match", "*");
		assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
		assertThat(json(written)).containsEntry("rule_id", "addresses").containsEntry("status", "active");
		String tag = written.headers().firstValue("ETag").orElseThrow();
		HttpResponse<String> after = get("/v1/ratelimit/config/addresses", "reader");
		assertThat(after.headers().firstValue("ETag")).contains(tag);
		assertThat(after.body()).contains("\"definition\":{\"limit\":\"50/h\"}");
		Awaitility.await().untilAsserted(() -> assertThat(status("ip:" + ip(20))).contains("\"limit\":50"));
		assertThat(put("addresses", "{\"limit\":\"60/h\"}", "writer", "If-None-Match", "*").statusCode())
			.isEqualTo(412);
		assertThat(put("addresses", "{\"limit\":\"60/h\"}", "writer", "If-Match", "\"9999\"").statusCode())
			.isEqualTo(412);
		assertThat(put("addresses", "{\"limit\":\"60/h\"}", "writer").statusCode()).isEqualTo(428);
		HttpResponse<String> next = put("addresses", "{\"limit\":\"5/h\"}", "writer", "If-Match", "W/" + tag);
		assertThat(next.statusCode()).isEqualTo(200);
		assertThat(remove("addresses", "If-Match", tag).statusCode()).as("an old tag").isEqualTo(412);
		assertThat(remove("addresses", "If-Match", next.headers().firstValue("ETag").orElseThrow()).statusCode())
			.isEqualTo(204);
		assertThat(remove("addresses", "If-Match", "\"1\"").statusCode()).isEqualTo(404);
		Awaitility.await().untilAsserted(() -> assertThat(status("ip:" + ip(21))).contains("\"limit\":5,"));
	}

	@Test
	void aWriteThatBecomesActiveLaterSaysWhen() throws Exception {
		MemoryRuleSource source = this.application.getBean(MemoryRuleSource.class);
		Instant active = Instant.now().plusMillis(300).truncatedTo(ChronoUnit.MILLIS);
		source.activateWritesAt(OptionalLong.of(active.toEpochMilli()));
		try {
			HttpResponse<String> written = put("tenants", "{\"limit\":\"60/h\"}", "writer", "If-None-Match", "*");
			assertThat(json(written)).containsEntry("status", "scheduled")
				.containsEntry("activates", active.toString());
		}
		finally {
			source.activateWritesAt(OptionalLong.empty());
		}
		HttpResponse<String> next = put("tenants", "{\"limit\":\"70/h\"}", "writer", "If-Match", "*");
		assertThat(json(next)).containsEntry("status", "active").doesNotContainKey("activates");
		assertThat(remove("tenants", "If-Match", "*").statusCode()).isEqualTo(204);
	}

	@Test
	void anyTagOfAnEntryIsThatOfAnEntryThatExists() throws Exception {
		assertThat(put("tenants", "{\"limit\":\"60/h\"}", "writer", "If-Match", "*").statusCode()).isEqualTo(412);
		assertThat(put("tenants", "{\"limit\":\"60/h\"}", "writer", "If-None-Match", "*").statusCode()).isEqualTo(200);
		assertThat(put("tenants", "{\"limit\":\"70/h\"}", "writer", "If-Match", " * ").statusCode()).isEqualTo(200);
		assertThat(remove("tenants", "If-Match", "*").statusCode()).isEqualTo(204);
		assertThat(remove("tenants", "If-Match", "*").statusCode()).isEqualTo(404);
	}

	@Test
	void anEqualDefinitionIsNotWrittenAgain() throws Exception {
		String tag = put("create-order", "{\"limit\":\"50/h\"}", "writer", "If-None-Match", "*").headers()
			.firstValue("ETag")
			.orElseThrow();
		put("tenants", "{\"limit\":\"60/h\"}", "writer", "If-None-Match", "*");
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> same = put("create-order", "{\"limit\":\"50/h\"}", "writer", "If-Match", tag);
			assertThat(same.statusCode()).as(same.body()).isEqualTo(200);
			assertThat(same.headers().firstValue("ETag")).contains(tag);
		}
		long versions = this.application.getBean(MemoryRuleSource.class).newest().orElseThrow().version();
		HttpResponse<String> other = put("create-order", "{\"limit\":\"70/h\"}", "writer", "If-Match", tag);
		assertThat(json(other)).containsEntry("version", (int) versions + 1);
		assertThat(remove("create-order", "If-Match", other.headers().firstValue("ETag").orElseThrow()).statusCode())
			.isEqualTo(204);
		remove("tenants", "If-Match",
				get("/v1/ratelimit/config/tenants", "reader").headers().firstValue("ETag").orElseThrow());
	}

	@Test
	void translatesTheWordsOfOtherLimiters() throws Exception {
		String body = "{\"key_pattern\":\"user:{user_id}\",\"algorithm\":\"token_bucket\",\"rate\":100,\"burst\":150,"
				+ "\"window\":\"1m\",\"paths\":\"/translated\"}";
		HttpResponse<String> written = put("translated", body, "writer", "If-None-Match", "*");
		assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
		assertThat(get("/v1/ratelimit/config/translated", "reader").body()).contains("\"limit\":\"100/1m\"",
				"\"algorithm\":\"token-bucket\"", "\"key\":\"user\"");
		Awaitility.await()
			.untilAsserted(() -> assertThat(get("/v1/ratelimit/config", "reader").body()).contains("\"translated\"",
					"\"charges\""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			none  | {"limit":"5/min"}                    | there is no rule 'none'
			login | {"limit":"5/never","paths":"/login"} | is not a period
			login | {"limits":[],"paths":"/login"}       | limits
			login | {"rate":5,"unit":"week"}             | 'unit' must be
			login | {"window":"1m"}                      | 'rate' is missing
			login | {"colour":"red"}                     | colour
			login | {                                    | line 1
			""")
	void rejectsRulesThatCannotWork(String rule, String body, String reason) throws Exception {
		HttpResponse<String> rejected = put(rule, body, "writer", "If-None-Match", "*");
		assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(400);
		assertThat(json(rejected).get("detail").toString()).contains(reason);
		assertThat(get("/v1/ratelimit/config/" + rule, "reader").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "nobody, 403", "reader, 403", "checker, 403", "'', 401" })
	void requiresAnAuthorityToChangeRules(String user, int status) throws Exception {
		assertThat(put("charges", "{\"limit\":\"1/h\"}", user, "If-None-Match", "*").statusCode()).isEqualTo(status);
	}

	@Test
	void setsTheLimitsOfATenant() throws Exception {
		String body = "{\"algorithm\":\"token_bucket\",\"rate\":100,\"burst\":150,\"windowSeconds\":60}";
		assertThat(quota("GET", "acme.com", "tenants", "", "reader").statusCode()).isEqualTo(404);
		HttpResponse<String> written = quota("PUT", "acme.com", "tenants", body, "writer");
		assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
		assertThat(quota("PUT", "other", "tenants", "{\"limit\":\"20/h\",\"store\":\"local\"}", "writer").statusCode())
			.isEqualTo(204);
		assertThat(quota("PUT", "fourth", "tenants", "{\"limit\":\"20/h\",\"store\":\"eu\"}", "writer").body())
			.contains("there is no such store");
		Awaitility.await()
			.untilAsserted(() -> assertThat(status("param:acme.com%7Croute:a")).contains("\"remaining\":150"));
		Awaitility.await().untilAsserted(() -> assertThat(status("param:other%7Croute:a")).contains("\"limit\":20"));
		assertThat(status("param:third%7Croute:a")).contains("\"limit\":10");
		HttpResponse<String> shown = quota("GET", "acme.com", "tenants", "", "reader");
		assertThat(shown.body()).contains("\"tenant\":\"acme.com\"", "\"rule_id\":\"tenants\"",
				"\"effective\":\"100/min burst 150\"");
		String tag = shown.headers().firstValue("ETag").orElseThrow();
		assertThat(quota("PUT", "third", "tenants", "{\"limit\":\"1/h\"}", "writer", "If-Match", "\"0\"").statusCode())
			.isEqualTo(412);
		assertThat(quota("DELETE", "acme.com", "tenants", "", "writer", "If-Match", tag).statusCode()).isEqualTo(204);
		assertThat(quota("DELETE", "acme.com", "tenants", "", "writer").statusCode()).isEqualTo(404);
		assertThat(quota("DELETE", "other", "tenants", "", "writer").statusCode()).isEqualTo(204);
		assertThat(quota("DELETE", "fixed", "tenants", "", "writer").statusCode()).as("not a live one").isEqualTo(404);
		HttpResponse<String> fixed = quota("GET", "fixed", "tenants", "", "reader");
		assertThat(fixed.body()).contains("\"effective\":\"30/h\"");
		assertThat(fixed.headers().firstValue("ETag")).as("there is no entry that could change").isEmpty();
		assertThat(get("/v1/ratelimit/config/tenants", "reader").body()).doesNotContain("\"definition\"");
		Awaitility.await().untilAsserted(() -> assertThat(status("param:acme.com%7Croute:b")).contains("\"limit\":10"));
	}

	@Test
	void noLimitOfATenantIsLostToAnother() throws Exception {
		List<CompletableFuture<Integer>> answers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			HttpRequest request = quotaRequest("PUT", "racer-" + i, "tenants", "{\"limit\":\"20/h\"}", "writer")
				.build();
			answers.add(this.http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
				.thenApply(HttpResponse::statusCode));
		}
		for (int i = 0; i < 4; i++) {
			int status = answers.get(i).get();
			assertThat(status).isIn(204, 409);
			assertThat(quota("DELETE", "racer-" + i, "tenants", "", "writer").statusCode())
				.isEqualTo((status == 204) ? 204 : 404);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			acme | none      | {"limit":"5/min"}  | 404 | there is no rule 'none'
			acme | tenants   | {"limit":"5/never"} | 400 | is not a period
			acme | tenants   | {"colour":"red"}   | 400 | overrides[acme].colour
			acme | tenants   | {                  | 400 | line 1
			a[b  | tenants   | {"limit":"5/min"}  | 400 | bracket
			acme | addresses | {"limit":"5/min"}  | 400 | no part of the key has values that overrides could be for
			""")
	void rejectsLimitsOfTenantsThatCannotWork(String tenant, String rule, String body, int status, String reason)
			throws Exception {
		HttpResponse<String> rejected = quota("PUT", tenant.replace("[", "%5B"), rule, body, "writer");
		assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(status);
		assertThat(json(rejected).get("detail").toString()).contains(reason);
	}

	@ParameterizedTest
	@CsvSource({ "nobody, 403", "reader, 403", "checker, 403", "'', 401" })
	void requiresAnAuthorityToSetLimitsOfTenants(String user, int status) throws Exception {
		assertThat(quota("PUT", "acme", "tenants", "{\"limit\":\"1/h\"}", user).statusCode()).isEqualTo(status);
		assertThat(quota("DELETE", "acme", "tenants", "", user).statusCode()).isEqualTo(status);
	}

	@Test
	void aTeamChangesItsOwnRulesOnly() throws Exception {
		assertThat(put("search-web", "{\"limit\":\"20/h\"}", "sam", "If-None-Match", "*").statusCode()).isEqualTo(200);
		assertThat(quota("PUT", "acme", "search-web", "{\"limit\":\"30/h\"}", "sam").statusCode()).isEqualTo(204);
		HttpResponse<String> foreign = put("search-web", "{\"limit\":\"1/h\"}", "ida", "If-Match", "\"1\"");
		assertThat(foreign.statusCode()).isEqualTo(403);
		assertThat(json(foreign)).containsEntry("detail",
				"rule 'search-web' belongs to 'search-team'; you may change 'login…'");
		assertThat(put("search-web", "{\"limit\":\"1/h\"}", "ida").statusCode()).as("without a condition")
			.isEqualTo(403);
		assertThat(quota("PUT", "acme", "none", "{\"limit\":\"1/h\"}", "ida").statusCode()).isEqualTo(403);
		foreign = quota("PUT", "acme", "charges", "{\"limit\":\"1/h\"}", "sam");
		assertThat(json(foreign)).containsEntry("status", 403)
			.containsEntry("detail", "rule 'charges' belongs to no team; you may change 'search-…'");
		assertThat(put("search-all", "{\"limit\":\"1/h\",\"paths\":\"/**\"}", "sam", "If-None-Match", "*").body())
			.contains("which is not within [/search/**]");
		assertThat(get("/v1/ratelimit/config/search-all", "reader").statusCode()).isEqualTo(404);
		assertThat(remove("search-web", "If-Match", "\"1\"", "ida").statusCode()).isEqualTo(403);
		String tag = get("/v1/ratelimit/config/search-web", "reader").headers().firstValue("ETag").orElseThrow();
		assertThat(remove("search-web", "If-Match", tag, "sam").statusCode()).isEqualTo(204);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/check", "/decision", "/status/{subject}", "/config", "/config/{rule}",
			"/quotas/{tenant}/routes/{rule}" })
	void describesEveryPath(String path) throws Exception {
		HttpResponse<String> response = get("/v1/ratelimit/openapi.json", "reader");
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		assertThat((Map<?, ?>) json(response).get("paths")).matches((paths) -> paths.containsKey(path), path);
	}

	// A proxy may put a prefix before the path, with or without a header that contains
	// it.
	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:8080", "http://localhost/context", "https://api.example.org/edge/shop" })
	void describesTheServerWhereItsDescriptionIsRead(String prefix) throws Exception {
		HttpResponse<String> response = send(
				request("/v1/ratelimit/openapi.json", "reader").header("X-Forwarded-Prefix", "/edge")
					.header("Forwarded", "host=api.example.org;proto=https")
					.GET());
		Map<?, ?> server = (Map<?, ?>) ((List<?>) json(response).get("servers")).get(0);
		assertThat(URI.create(prefix + "/v1/ratelimit/openapi.json").resolve(server.get("url").toString()))
			.hasToString(prefix + "/v1/ratelimit");
	}

	// Pool threads may outlive the application whose class loader they inherited.
	@Test
	void findsItsDescriptionWhateverTheThreadLoadsFrom() throws Exception {
		RateLimitController api = this.application.getBean(RateLimitController.class);
		Thread thread = Thread.currentThread();
		ClassLoader loader = thread.getContextClassLoader();
		thread.setContextClassLoader(new ClassLoader(null) {
		});
		try {
			Object body = api.description(new TestingAuthenticationToken("reader", "", "RATELIMIT_READ"))
				.get()
				.getBody();
			assertThat(body).isInstanceOfSatisfying(Resource.class, (found) -> assertThat(found.exists()).isTrue());
		}
		finally {
			thread.setContextClassLoader(loader);
		}
	}

	private HttpResponse<String> quota(String method, String tenant, String rule, String body, String user,
			String... headers) throws Exception {
		HttpRequest.Builder request = quotaRequest(method, tenant, rule, body, user);
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return send(request);
	}

	private HttpRequest.Builder quotaRequest(String method, String tenant, String rule, String body, String user) {
		return request("/v1/ratelimit/quotas/" + tenant + "/routes/" + rule, user)
			.header("Content-Type", "application/json")
			.method(method, (body.isEmpty()) ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
	}

	private HttpResponse<String> put(String rule, String body, String user, String... headers) throws Exception {
		HttpRequest.Builder request = request("/v1/ratelimit/config/" + rule, user).header("Content-Type",
				"application/json");
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return send(request.PUT(BodyPublishers.ofString(body)));
	}

	private HttpResponse<String> remove(String rule, String header, String value) throws Exception {
		return remove(rule, header, value, "writer");
	}

	private HttpResponse<String> remove(String rule, String header, String value, String user) throws Exception {
		return send(request("/v1/ratelimit/config/" + rule, user).header(header, value).DELETE());
	}

	private HttpResponse<String> check(String body) throws Exception {
		return post("/v1/ratelimit/check", body, "checker");
	}

	private String status(String subject) throws Exception {
		HttpResponse<String> response = get("/v1/ratelimit/status/" + subject, "reader");
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	// The reset time of a full bucket is the current second, which may differ between two
	// requests.
	private static String withoutTimes(String status) {
		return status.replaceAll("\"reset_at\":\\d+", "");
	}

	private HttpResponse<String> post(String path, String body, String user, String... headers) throws Exception {
		HttpRequest.Builder request = request(path, user).header("Content-Type", "application/json");
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return send(request.POST(BodyPublishers.ofString(body)));
	}

	private HttpResponse<String> get(String path, String user) throws Exception {
		return send(request(path, user).GET());
	}

	private HttpRequest.Builder request(String path, String user) {
		String port = this.application.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
		return (user.isEmpty()) ? request : request.header("Authorization", HttpProbe.basic(user, "secret"));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static Map<String, Object> json(HttpResponse<String> response) {
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

	private static String name() {
		return "u-" + UUID.randomUUID();
	}

	// Each test uses separate addresses.
	private static String ip(int last) {
		return Stream.of(198, 51, 100, last)
			.map(String::valueOf)
			.reduce((one, other) -> one + "." + other)
			.orElseThrow();
	}

}
