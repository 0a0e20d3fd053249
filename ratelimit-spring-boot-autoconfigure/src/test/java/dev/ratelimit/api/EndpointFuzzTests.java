package dev.ratelimit.api;

import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends random values for all inputs of the endpoints and the HTTP API to two instances.
 * No response may be a server error, and each instance must be able to read the data that
 * the other one has written.
 */
@RedisTest
class EndpointFuzzTests {

	private static final String LIVE = "/actuator/ratelimitlive";

	private static final int CHECKED_EVERY = 100;

	/** The default seed. Set {@code -Dtest.seed=7} to use another one. */
	private static final long SEED = 20_261_124;

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void noValueIsAServerErrorOrBlocksTheRules(WebApplicationType stack, TestRedis redis) {
		fuzz(stack, redis, 300);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	@Tag("long")
	@Tag("nightly")
	void noneOfManyValuesIsAServerErrorOrBlocksTheRules(WebApplicationType stack, TestRedis redis) {
		fuzz(stack, redis, Integer.getInteger("test.fuzz.requests", 5000));
	}

	private void fuzz(WebApplicationType stack, TestRedis redis, int requests) {
		long seed = Long.getLong("test.seed", SEED);
		try (ConfigurableApplicationContext first = start(stack, redis);
				ConfigurableApplicationContext second = start(stack, redis)) {
			Requests random = new Requests(new Random(seed));
			for (int i = 0; i < requests; i++) {
				Sent sent = random.next();
				String what = "seed %d, request %d: %s".formatted(seed, i, sent);
				exchange((i % 2 == 0) ? first : second, sent, what, random);
				if (i % CHECKED_EVERY == CHECKED_EVERY - 1) {
					requireReadable(first, what);
					requireReadable(second, what);
				}
			}
			assertThat(random.version).as("versions that were written").isGreaterThan(requests / 100);
		}
		// An instance without the document reads it when it starts.
		try (ConfigurableApplicationContext third = start(stack, redis)) {
			requireReadable(third, "seed " + seed);
		}
	}

	private static void exchange(ConfigurableApplicationContext instance, Sent sent, String what, Requests random) {
		try {
			Reply response = send(instance, sent);
			assertThat(response.statusCode()).as("%s%n%s", what, response.body()).isBetween(200, 499);
			random.read(response.body());
		}
		catch (UncheckedIOException ex) {
			// A firewall rejects such paths without reading the body. The server then
			// closes the connection, which may happen before the client reads the
			// response.
			assertThat(ex).as(what).hasCauseInstanceOf(SocketException.class);
			assertThat(sent.path).as(what).contains("%");
		}
	}

	private void requireReadable(ConfigurableApplicationContext instance, String what) {
		for (String path : List.of("", "/rules", "/versions", "/candidate", "/switches", "/bans", "/instances")) {
			Reply response = send(instance, new Sent("GET", LIVE + path, "", List.of()));
			assertThat(response.statusCode()).as("%s, then GET %s: %s", what, path, response.body()).isEqualTo(200);
		}
		assertThat(send(instance, new Sent("GET", LIVE, "", List.of())).body()).as(what)
			.doesNotContain("cannot be read", "\"rejected\":\"");
	}

	// On a busy machine, Redis can be too late for a call, which is no fault of the
	// value:
	// a value that causes the response causes it each time.
	private static Reply send(ConfigurableApplicationContext instance, Sent sent) {
		Reply reply = sendOnce(instance, sent);
		for (int i = 0; i < 10 && reply.statusCode() == 503; i++) {
			reply = sendOnce(instance, sent);
		}
		return reply;
	}

	private static Reply sendOnce(ConfigurableApplicationContext instance, Sent sent) {
		int port = instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		List<String> headers = new ArrayList<>(sent.headers);
		headers.addAll(List.of("Authorization", HttpProbe.basic("fuzz", "secret"), "Content-Type", "application/json"));
		return new HttpProbe(port).send(sent.method, sent.path, (sent.method.startsWith("P")) ? bytes(sent.body) : "",
				headers.toArray(String[]::new));
	}

	// The probe sends one byte per character.
	private static String bytes(String body) {
		return new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, TestRedis redis) {
		return ApiApplication.startWithoutSource(stack, "--spring.application.name=fuzz",
				"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
				"--ratelimit.live.source=redis", "--ratelimit.deadline=20s", "--ratelimit.bans.enabled=true",
				"--ratelimit.telemetry.top=true", "--ratelimit.rules.search.paths=/search/{tenant}",
				"--ratelimit.rules.search.key=path:tenant", "--ratelimit.rules.search.limit=100/min",
				"--ratelimit.rules.login.paths=/login", "--ratelimit.rules.login.key=ip",
				"--ratelimit.rules.login.limit=5/min", "--ratelimit.rules.login.ban.after=5",
				"--ratelimit.rules.login.ban.within=1m", "--ratelimit.rules.code.programmatic=true",
				"--ratelimit.rules.code.key=user", "--ratelimit.rules.code.limit=10/h",
				"--management.endpoints.web.exposure.include=ratelimit,ratelimitlive");
	}

	/** A request to send. */
	private record Sent(String method, String path, String body, List<String> headers) {

	}

	/** Generates random requests: valid requests with some replaced values. */
	private static final class Requests {

		private static final List<String> RULES = List.of("search", "login", "code");

		private static final List<String> PROPERTIES = List.of("limit", "limits", "burst", "algorithm", "key", "mode",
				"paths", "methods", "plans", "overrides", "cost", "failure", "zone", "enforce", "ban", "wait",
				"on-excess", "idempotency", "consistency", "status", "phase", "on-missing-key", "replaces", "bucket",
				"unknown", "rate", "window", "unit", "windowSeconds", "lease", "max-hold", "hold", "tarpit", "credit",
				"count-only", "refund", "reserve");

		/** The beginnings of objects in which a value is missing. */
		private static final List<String> NESTED = List.of("ban\":{\"within", "ban\":{\"for", "ban\":{\"max",
				"ban\":{\"forget", "ban\":{\"growth", "ban\":{\"after", "wait\":{\"max", "wait\":{\"queue",
				"tarpit\":{\"delay", "tarpit\":{\"max", "plans\":{\"a", "overrides\":{\"a", "idempotency\":{\"ttl");

		private static final List<String> VALUES = List.of("5/min", "100/h", "unlimited", "0/s", "1/month", "10/PT5M",
				"token-bucket", "gcra", "fixed-window", "sliding-log", "concurrency", "leaky-bucket", "shadow", "off",
				"enforce", "25%", "user", "ip", "path:tenant", "header:X-A", "/search/**", "Europe/Paris", "true", "-1",
				"0", "1", "9007199254740993", "9223372036854775807", "9223372036854775808", "1e400", "0x1F", "NaN",
				"PT2562047788015215H", "9223372036854775807s", "1h", "7d", "PT0S", "-1s", "null", "~", "[]", "{}",
				"{limit: 5/min}", "[1/s, 2/min]", "{a: {limit: 1/s}}", "&a [*a]", "!!java.lang.Thread {}", "? {} : {}",
				"'", "\"", "---", "%", "${spring.application.name}", "../..", "a\nb", "\t", "|");

		private static final List<String> CHARACTERS = List.of("\u0000", "\u0007", "\u001f", "\u007f", "\u0085",
				"\u00a0", "\u00ad", "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffe", "\uffff", "\ufffd", "\ud800",
				"\udc00", "\ud83d\ude00", "\udbff\udfff", "\u00fc", "\u0130", "\u1e9e", "a\u0301", "{", "}", "|", ":",
				"~", "%", "/", "\\", "\"", "'", "*", "#", " ");

		private static final Pattern VERSION = Pattern
			.compile("\"version\":(\\d+),\"activates\"|newest (?:version )?is (\\d+)|in version (\\d+); you");

		private final Random random;

		/** The newest version in a response. */
		private long version;

		Requests(Random random) {
			this.random = random;
		}

		void read(String response) {
			Matcher versions = VERSION.matcher(response);
			while (versions.find()) {
				this.version = Long.parseLong(versions.group().replaceAll("\\D", ""));
			}
		}

		Sent next() {
			return switch (this.random.nextInt(16)) {
				case 0, 1 -> live("POST", "/rules/" + oneOf(RULES), fields("definition", quoted(definition())));
				case 2 -> live("POST", "/rules/" + segment(rule()), fields("definition", quoted(value())));
				case 3 -> live("DELETE", "/rules/" + segment(rule()) + query("version", "note", "dryRun"), "");
				case 4 -> live("POST", "/versions/" + segment(number()), fields("note", quoted(text())));
				case 5 ->
					live("POST", "/candidate", fields("definition", quoted(definition()), "rule", quoted(rule())));
				case 6 -> live("POST", "/candidate/promote", fields("candidate", quoted(version())));
				case 7 -> live("DELETE", "/candidate" + query("candidate", "note"), "");
				case 8 -> live("POST", "/switches" + ((chance(2)) ? "/" + segment(rule()) : ""),
						fields("mode", quoted(oneOf(List.of("off", "shadow", "enforce", text()))), "duration",
								quoted(value()), "scope", quoted(oneOf(List.of("instance", text())))));
				case 9 -> live("DELETE",
						"/switches" + ((chance(2)) ? "/" + segment(rule()) : "") + query("note", "scope"), "");
				case 10 -> live("POST", "/bans/" + segment(rule()) + ((chance(2)) ? "/" + segment(subject()) : ""),
						fields("subject", quoted(subject()), "duration", quoted(value()), "mode",
								quoted(oneOf(List.of("ban", "mark", "pause", text())))));
				case 11 -> live((chance(2)) ? "DELETE" : "GET",
						"/bans/" + segment(rule()) + "/" + segment(subject()) + query("subject", "note", "rule"), "");
				case 12 -> live("GET", "/" + oneOf(
						List.of("top", "subject", "page", "versions/" + segment(number()), "rules/" + segment(rule())))
						+ query("minutes", "rule", "subject"), "");
				case 13 -> actuator();
				case 14 -> check();
				default -> configuration();
			};
		}

		private Sent live(String method, String path, String body) {
			return new Sent(method, LIVE + path, (chance(20) && isPlain(path)) ? structure() : body, List.of());
		}

		// A server may reset a connection if it does not read a long body.
		private static boolean isPlain(String path) {
			return path.indexOf('%') < 0;
		}

		private Sent actuator() {
			String path = "/actuator/ratelimit/"
					+ oneOf(List.of("explain", "doctor", segment(rule()) + "/" + segment(subject()), segment(rule())));
			return new Sent((chance(3)) ? "DELETE" : "GET",
					path + query("subject", "method", "path", "user", "ip", "header", "plan"), "", List.of());
		}

		private Sent check() {
			return switch (this.random.nextInt(4)) {
				case 0 ->
					new Sent("GET", "/v1/ratelimit/decision" + query("actor", "route", "cost", "plan"), "", List.of());
				case 1 -> new Sent("GET", "/v1/ratelimit/status/" + segment(subject()) + query("plan"), "", List.of());
				default -> new Sent("POST", "/v1/ratelimit/check", (chance(8)) ? structure()
						: object("endpoint", quoted(oneOf(List.of("/search/a", "/login", text()))), "method",
								quoted(oneOf(List.of("GET", "POST", text()))), "user_id", quoted(text()), "ip",
								quoted(oneOf(List.of("192.0.2.1", "2001:db8::1", text()))), "cost",
								oneOf(List.of("1", number(), "1.5", "-1", "null", "\"1\"")), "headers",
								oneOf(List.of("{}", "{" + quoted(text()) + ":" + quoted(text()) + "}", structure())),
								"plan", quoted(text()), "rule", quoted(rule()), "subject", quoted(subject())),
						List.of("Idempotency-Key", oneOf(List.of("\"a\"", "a", "\"", "x".repeat(300)))));
			};
		}

		private Sent configuration() {
			List<String> headers = List.of("If-Match", oneOf(List.of("\"0\"", "W/\"1\"", "*", "\"x\"", "\"\"",
					"\"" + version() + "\"", "\"" + version() + "\"", "\"1\", \"2\"")));
			String path = (chance(2)) ? "/config/" + segment(rule())
					: "/quotas/" + segment(text()) + "/routes/" + segment(rule());
			String body = (!isPlain(path)) ? object("limit", quoted(value())) : (chance(8)) ? structure()
					: object("limit", quoted(value()), "window", quoted(value()), oneOf(PROPERTIES), json());
			return new Sent(oneOf(List.of("PUT", "PUT", "GET", "DELETE")), "/v1/ratelimit" + path, body, headers);
		}

		private String fields(String... namesAndValues) {
			List<String> all = new ArrayList<>(List.of(namesAndValues));
			all.addAll(List.of("version", quoted(version()), "note", quoted((chance(4)) ? text() : "note")));
			if (chance(8)) {
				all.addAll(List.of("dryRun", quoted(oneOf(List.of("true", "false", text())))));
			}
			return object(all.toArray(String[]::new));
		}

		// Omit some members at random.
		private String object(String... namesAndValues) {
			List<String> members = new ArrayList<>();
			for (int i = 0; i < namesAndValues.length; i += 2) {
				if (!chance(12)) {
					members.add(quoted(namesAndValues[i]) + ":" + namesAndValues[i + 1]);
				}
			}
			return "{" + String.join(",", members) + "}";
		}

		private String definition() {
			return switch (this.random.nextInt(10)) {
				case 0 -> oneOf(PROPERTIES) + ": " + value();
				case 1 -> "{" + oneOf(PROPERTIES) + ": " + value() + ", limit: " + value() + "}";
				case 2 -> (chance(3)) ? "{\"" + oneOf(NESTED) + "\":" + quoted(value()) + "}}"
						: "{\"" + oneOf(PROPERTIES) + "\":" + json() + "}";
				case 3 -> "{\"limit\":\"5/min\",\"overrides\":{" + quoted(text()) + ":{\"limit\":\"9/min\"}}}";
				case 4 -> (chance(4)) ? "limit: 5/min # " + "x".repeat(this.random.nextInt(60_000)) : structure();
				case 5 -> "{limit: 5/min, overrides: {\"" + oneOf(CHARACTERS) + "\": {limit: 9/min}}}";
				default -> "limit: " + (1 + this.random.nextInt(500)) + "/min";
			};
		}

		private String json() {
			return switch (this.random.nextInt(6)) {
				case 0 -> number();
				case 1 -> "[" + quoted(value()) + "]";
				case 2 -> "{" + quoted(text()) + ":" + quoted(value()) + "}";
				case 3 -> structure();
				default -> quoted(value());
			};
		}

		// Return a deeply nested, large, or invalid structure.
		private String structure() {
			List<Supplier<String>> structures = List.of(() -> "[".repeat(5000),
					() -> "{\"a\":".repeat(2000) + "1" + "}".repeat(2000), () -> "[".repeat(40) + "]".repeat(40),
					() -> "{a: ".repeat(40) + "1" + "}".repeat(40), () -> "null", () -> "", () -> "7", () -> "\"text\"",
					() -> "{", () -> "[]", () -> "{\"a\":1,\"a\":2}", () -> "x".repeat(8000), () -> "1".repeat(8000),
					() -> "{\"limit\":1e999999999}", this::text);
			return oneOf(structures).get();
		}

		private String query(String... names) {
			List<String> parameters = new ArrayList<>();
			for (String name : names) {
				if (chance(2)) {
					parameters.add(name + "=" + encoded((chance(2)) ? version() : (chance(2)) ? value() : text()));
				}
			}
			return (parameters.isEmpty()) ? "" : "?" + String.join("&", parameters);
		}

		private String rule() {
			return (chance(10)) ? text() : oneOf(RULES);
		}

		private String subject() {
			return oneOf(List.of("user:a", "ip:192.0.2.1", "global", "user:" + text(), text(), "user:~none",
					"a|b".repeat(200)));
		}

		private String version() {
			return (chance(4)) ? number() : String.valueOf(this.version);
		}

		private String number() {
			return oneOf(List.of("0", "1", "2", "3", "7", "99", "-1", "00", "9223372036854775807",
					"9223372036854775808", "99999999999", "1.0", "1e3", "x", ""));
		}

		private String value() {
			return (chance(4)) ? text() : oneOf(VALUES);
		}

		private String text() {
			return switch (this.random.nextInt(8)) {
				case 0 -> "";
				case 1 -> oneOf(CHARACTERS).repeat(1 + this.random.nextInt(300));
				case 2 -> oneOf(VALUES) + oneOf(CHARACTERS);
				case 3 -> "x".repeat(this.random.nextInt(3) * 100);
				default -> {
					StringBuilder text = new StringBuilder();
					for (int i = this.random.nextInt(12); i >= 0; i--) {
						text.append(
								(chance(2)) ? oneOf(CHARACTERS) : String.valueOf((char) this.random.nextInt(0x10000)));
					}
					yield text.toString();
				}
			};
		}

		// Escape special characters as JSON requires, including lone surrogates.
		private static String quoted(String text) {
			StringBuilder quoted = new StringBuilder("\"");
			for (char character : text.toCharArray()) {
				if (character >= ' ' && character < 127 && character != '"' && character != '\\') {
					quoted.append(character);
				}
				else {
					quoted.append("\\u%04x".formatted((int) character));
				}
			}
			return quoted.append('"').toString();
		}

		private static String segment(String text) {
			return (text.isEmpty()) ? "-" : encoded(text).replace("+", "%20");
		}

		private static String encoded(String text) {
			return URLEncoder.encode(text, StandardCharsets.UTF_8);
		}

		private boolean chance(int oneIn) {
			return this.random.nextInt(oneIn) == 0;
		}

		private <T> T oneOf(List<T> values) {
			return values.get(this.random.nextInt(values.size()));
		}

	}

}
