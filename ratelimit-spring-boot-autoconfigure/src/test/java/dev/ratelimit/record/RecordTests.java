package dev.ratelimit.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMemoryStoreAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.ban.RateLimitBanAutoConfiguration;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.waiting.RateLimitWaitingAutoConfiguration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that responses, endpoints, meters, and digests of rules match their records.
 */
class RecordTests {

	private static final String ALICE = HttpProbe.basic("alice", "secret");

	private static final String BEN = HttpProbe.basic("ben", "secret");

	/** The rules whose meters are recorded, one of each kind. */
	private static final List<String> ONE_OF_EACH = List.of("day", "slots", "banned", "plan", "leaky");

	private static final int RULE_SETS = 100;

	private static final int TRIES = 1000;

	/** All auto-configurations that rules need. */
	private static final AutoConfigurations RULES_ONLY = AutoConfigurations.of(RateLimitTimeAutoConfiguration.class,
			RateLimitMemoryStoreAutoConfiguration.class, RateLimitAutoConfiguration.class,
			RateLimitBanAutoConfiguration.class, RateLimitWaitingAutoConfiguration.class);

	private static final List<String> FIELDS = List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit",
			"X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Content-Type", "Cache-Control", "Vary",
			"Content-Language");

	private static final String INSTANCES = "/actuator/ratelimitlive/instances";

	/** The version of the rules after all writes. */
	private static final String LAST_VERSION = "\"version\":3";

	private static final List<String> ENDPOINTS = List.of("/actuator/ratelimit", "/actuator/ratelimit/day",
			"/actuator/ratelimit/explain?path=/r/day", "/actuator/ratelimit/nothing", "/actuator/ratelimitlive",
			"/actuator/ratelimitlive/rules", "/actuator/ratelimitlive/rules/day", "/actuator/ratelimitlive/versions",
			"/actuator/ratelimitlive/switches", "/actuator/ratelimitlive/bans", "/actuator/ratelimitlive/top",
			INSTANCES, "/actuator/ratelimitlive/candidate", "/actuator/ratelimitlive/nothing",
			"/actuator/health/ratelimit", "/v1/ratelimit/config", "/v1/ratelimit/config/day",
			"/v1/ratelimit/decision?actor=ip:1.2.3.4&route=day&cost=1", "/v1/ratelimit/status/ip:127.0.0.1",
			"/v1/ratelimit/quotas/acme/routes/tenant");

	/** Write requests in order: method, path, body. */
	private static final List<List<String>> WRITES = List.of(
			List.of("POST", "/actuator/ratelimitlive/rules/day",
					"{\"definition\":\"limit: 5/d\",\"version\":\"0\",\"dryRun\":\"true\"}"),
			List.of("POST", "/actuator/ratelimitlive/rules/day",
					"{\"definition\":\"limit: 5/d\",\"version\":\"0\",\"note\":\"more\"}"),
			List.of("POST", "/actuator/ratelimitlive/rules/day", "{\"definition\":\"limit: 6/d\",\"version\":\"0\"}"),
			List.of("POST", "/actuator/ratelimitlive/rules/day", "{\"definition\":\"limit: none\",\"version\":\"1\"}"),
			List.of("POST", "/actuator/ratelimitlive/candidate",
					"{\"rule\":\"day\",\"definition\":\"limit: 1/d\",\"version\":\"1\",\"note\":\"less\"}"),
			List.of("DELETE", "/actuator/ratelimitlive/candidate?candidate=1", ""),
			List.of("POST", "/actuator/ratelimitlive/versions/0", "{\"version\":\"1\"}"),
			List.of("POST", "/actuator/ratelimitlive/switches/day", "{\"mode\":\"shadow\",\"duration\":\"10m\"}"),
			List.of("DELETE", "/actuator/ratelimitlive/switches/day", ""),
			List.of("POST", "/actuator/ratelimitlive/bans/banned?subject=ip:10.0.0.1", "{\"duration\":\"10m\"}"),
			List.of("DELETE", "/actuator/ratelimitlive/bans/banned?subject=ip:10.0.0.1", ""),
			List.of("DELETE", "/actuator/ratelimitlive/bans/banned?subject=ip:10.0.0.1", ""),
			List.of("DELETE", "/actuator/ratelimit/day?subject=ip:127.0.0.1", ""),
			List.of("PUT", "/v1/ratelimit/config/day", "{\"limit\": \"7/d\"}"),
			List.of("PUT", "/v1/ratelimit/quotas/acme/routes/tenant",
					"{\"algorithm\": \"token_bucket\", \"rate\": 100, \"burst\": 150, \"windowSeconds\": 60}"),
			List.of("PUT", "/v1/ratelimit/quotas/acme/routes/tenant", "{\"rate\": -1}"),
			List.of("DELETE", "/v1/ratelimit/quotas/acme/routes/tenant", ""),
			List.of("POST", "/v1/ratelimit/check",
					"{\"user_id\": \"u_42\", \"endpoint\": \"/r/log\", \"method\": \"GET\", \"ip\": \"198.51.100.7\"}"),
			List.of("POST", "/v1/ratelimit/check", "{\"endpoint\": \"r\"}"));

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void responsesAndEndpointsAndMetersAreWhatTheyWere(WebApplicationType stack) {
		try (ConfigurableApplicationContext context = start(stack)) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			Recording.check("responses.txt", Recording.withoutChance(responses(http)));
			Recording.check("endpoints.txt", Recording.withoutChance(endpoints(http)));
			Recording.check("meters.txt", meters(context.getBean(MeterRegistry.class)));
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack) {
		return new SpringApplicationBuilder(RecordApplication.class).web(stack)
			.run("--server.port=0", "--spring.main.banner-mode=off",
					"--spring.config.location=classpath:record/record.yml");
	}

	private static String responses(HttpProbe http) {
		StringBuilder text = new StringBuilder();
		for (String path : List.of("day", "window", "log", "gcra", "leaky", "sliding", "shadow", "degrade", "several",
				"cost", "closed", "plan", "banned")) {
			for (int i = 0; i < 3; i++) {
				append(text, "GET", "/r/" + path, http.get("/r/" + path));
			}
		}
		for (String path : List.of("/r/cost?units=3", "/r/cost?units=x", "/r/missing", "/annotated", "/annotated",
				"/annotated", "/exempt", "/r/none", "/r/slots", "/actuator/health")) {
			append(text, "GET", path, http.get(path));
		}
		for (String header : List.of("X-Tenant: acme", "X-Tenant: other", "X-Tenant: ")) {
			String[] field = header.split(": ", 2);
			append(text, "GET", "/r/tenant " + header, http.get("/r/tenant", field));
			append(text, "GET", "/r/tenant " + header, http.get("/r/tenant", field));
		}
		append(text, "GET", "/r/plan as ben", http.get("/r/plan", "Authorization", BEN));
		append(text, "GET", "/r/user as ben", http.get("/r/user", "Authorization", BEN));
		append(text, "GET", "/r/user as ben", http.get("/r/user", "Authorization", BEN));
		append(text, "GET", "/r/day in German", http.get("/r/day", "Accept-Language", "de", "Accept", "text/html"));
		append(text, "OPTIONS", "/r/day",
				http.send("OPTIONS", "/r/day", "Origin", "https://a.example", "Access-Control-Request-Method", "GET"));
		append(text, "HEAD", "/r/window", http.send("HEAD", "/r/window"));
		for (int i = 0; i < 2; i++) {
			append(text, "POST", "/r/login", http.send("POST", "/r/login", "username=Ann",
					new String[] { "Content-Type", "application/x-www-form-urlencoded" }));
			append(text, "POST", "/r/retried",
					http.send("POST", "/r/retried", "", new String[] { "Idempotency-Key", "one" }));
		}
		return text.toString();
	}

	private static String endpoints(HttpProbe http) {
		StringBuilder text = new StringBuilder();
		ENDPOINTS.forEach((path) -> append(text, "GET", path, http.get(path, "Authorization", ALICE)));
		WRITES.forEach((write) -> append(text, write.get(0), write.get(1) + " " + write.get(2),
				http.send(write.get(0), write.get(1), write.get(2),
						new String[] { "Authorization", ALICE, "Content-Type", "application/json" })));
		// An instance applies an edit, and reports it, after the response.
		Awaitility.await()
			.untilAsserted(() -> assertThat(http.get(INSTANCES, "Authorization", ALICE).body())
				.containsSubsequence(LAST_VERSION, LAST_VERSION));
		ENDPOINTS.stream()
			.filter((path) -> path.contains("live/"))
			.forEach((path) -> append(text, "GET", path, http.get(path, "Authorization", ALICE)));
		return text.toString();
	}

	private static void append(StringBuilder text, String method, String what, Reply reply) {
		text.append(method).append(' ').append(what).append('\n').append(reply.statusCode()).append('\n');
		for (String field : FIELDS) {
			if (!reply.header(field).isEmpty()) {
				text.append(field).append(": ").append(reply.header(field)).append('\n');
			}
		}
		text.append(reply.body().replace("{", "{\n").replace("},", "},\n")).append("\n\n");
	}

	// Return the names, types, and tags of meters, without their values.
	private static String meters(MeterRegistry registry) {
		return registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("ratelimit"))
			// The rows of this meter are updated once a second and depend on the time.
			.filter((id) -> !id.getName().equals("ratelimit.bans"))
			.filter((id) -> id.getTag("rule") == null || ONE_OF_EACH.contains(id.getTag("rule")))
			.map((id) -> id.getType() + " " + id.getName() + " "
					+ id.getTags().stream().map(Tag::toString).sorted().toList() + " " + id.getBaseUnit() + ": "
					+ id.getDescription())
			.collect(Collectors.toCollection(TreeSet::new))
			.stream()
			.map((line) -> line + "\n")
			.collect(Collectors.joining());
	}

	@Test
	void digestsOfRulesAreWhatTheyWere() {
		List<String> lines = new ArrayList<>();
		for (long seed = 0; lines.size() < RULE_SETS && seed < TRIES; seed++) {
			Map<String, String> properties = new RandomRules(seed).next();
			String line = seed + " ";
			digest(properties).ifPresent((digest) -> lines.add(line + digest + "\n"));
		}
		Recording.check("digests.txt", String.join("", lines));
	}

	private static Optional<String> digest(Map<String, String> properties) {
		String[] pairs = properties.entrySet()
			.stream()
			.map((property) -> property.getKey() + "=" + property.getValue())
			.toArray(String[]::new);
		String[] found = new String[1];
		new ApplicationContextRunner().withConfiguration(RULES_ONLY)
			.withPropertyValues(pairs)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> {
				if (context.getStartupFailure() == null) {
					found[0] = context.getBean(RateLimitEngine.class).editions().current().rules().digest();
				}
			});
		return Optional.ofNullable(found[0]);
	}

}
