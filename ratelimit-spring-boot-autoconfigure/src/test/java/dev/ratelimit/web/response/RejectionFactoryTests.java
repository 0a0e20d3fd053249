package dev.ratelimit.web.response;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.ExposedHeaders;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.RateLimitRejectionHandler;
import dev.ratelimit.Reason;
import dev.ratelimit.Rejection;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.Completion;
import dev.ratelimit.gate.Delay;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.web.FakeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class RejectionFactoryTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 60_000_000_000L));

	private final HeaderFactory headers = new HeaderFactory(
			InstantSource.fixed(Instant.ofEpochMilli(1_795_255_000_123L)), HeaderSettings.DEFAULT, Jitter.NONE);

	private RateLimitRejectionHandler handler = (rejection, request) -> rejection;

	@Test
	void excessOfOneCallerIsTold() {
		use(RuleBuilder.rule("orders").limits("1/min"));
		RejectionResponse rejection = rejection(denied("orders"), "/app/orders");
		assertThat(rejection.status()).isEqualTo(429);
		assertThat(rejection.headers()).containsExactly(Map.entry("RateLimit-Policy", "\"orders\";q=1;w=60"),
				Map.entry("RateLimit", "\"orders\";r=0;t=60"), Map.entry("X-RateLimit-Limit", "1"),
				Map.entry("X-RateLimit-Remaining", "0"), Map.entry("X-RateLimit-Reset", "1795255061"),
				Map.entry("Retry-After", "60"), Map.entry("Cache-Control", "no-store"),
				Map.entry("Content-Type", "application/problem+json"));
		assertThat(body(rejection))
			.isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
					+ "\"title\":\"Quota Exceeded\",\"status\":429,"
					+ "\"detail\":\"Rate limit exceeded. Retry in 60 seconds.\","
					+ "\"instance\":\"/app/orders\",\"violated-policies\":[\"orders\"]}");
	}

	@ParameterizedTest
	@CsvSource({ "ip, 429", "user, 429", "global, 503", "route, 503" })
	void bucketThatEverybodySharesIsTheServersShortage(String key, int status) {
		use(RuleBuilder.rule("a").limits("1/min").key(key));
		RejectionResponse rejection = rejection(denied("a"), "/");
		assertThat(rejection.status()).isEqualTo(status);
		assertThat(problem(rejection).get("status").asInt()).isEqualTo(status);
		assertThat(problem(rejection).get("type").asString())
			.endsWith((status != 503) ? "#quota-exceeded" : "#temporary-reduced-capacity");
	}

	@Test
	void keyOfRouteAndCallerIsTheCallersExcess() {
		use(RuleBuilder.rule("a").limits("1/min").key("route", "ip"));
		assertThat(rejection(denied("a"), "/").status()).isEqualTo(429);
	}

	@Test
	void closedFailureIsAShortageToo() {
		use(RuleBuilder.rule("a").limits("1/min").failure(FailurePolicy.CLOSED));
		RejectionResponse rejection = rejection(unmeasured("a", Outcome.FAILED_CLOSED, 1000), "/");
		assertThat(rejection.status()).isEqualTo(503);
		assertThat(problem(rejection).get("title").asString()).isEqualTo("Temporary Reduced Capacity");
		assertThat(problem(rejection).get("detail").asString()).endsWith("Retry in 1 second.");
		assertThat(rejection.headers().keySet()).containsExactly("Retry-After", "Cache-Control", "Content-Type");
	}

	@Test
	void missingKeyIsForbiddenAndNoWaitHelps() {
		use(RuleBuilder.rule("a").limits("1/min"));
		RejectionResponse rejection = rejection(unmeasured("a", Outcome.KEY_MISSING, Wait.NEVER), "/");
		assertThat(rejection.status()).isEqualTo(403);
		assertThat(body(rejection)).isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
				+ "\"detail\":\"The request does not identify the client. Send the required credentials, header, or parameter.\","
				+ "\"instance\":\"/\",\"violated-policies\":[\"a\"]}");
		assertThat(rejection.headers().keySet()).containsExactly("Cache-Control", "Content-Type");
	}

	static Stream<List<String>> documentedStatuses() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "configuration.md"));
		return page.substring(page.indexOf("## Status codes"), page.indexOf("## Keys in Redis"))
			.lines()
			.filter((line) -> line.endsWith("` |") && !line.endsWith("`allowed` |"))
			.map((line) -> Stream.of(line.split(" *\\| *")).map((cell) -> cell.replace("`", "")).toList());
	}

	@ParameterizedTest
	@MethodSource("documentedStatuses")
	void statusAndTypeAreAsDocumented(List<String> cells) {
		String situation = cells.get(1);
		int status = Integer.parseInt(cells.get(2));
		Outcome outcome = Outcome.valueOf(cells.get(6).toUpperCase(Locale.ROOT));
		String type = cells.get(5).replaceFirst("^none$", "");
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/min").key(situation.contains("global") ? "global" : "ip");
		use(rule);
		RejectionResponse rejection = rejection(unmeasured("a", outcome, 5000), "/");
		assertThat(rejection.status()).isEqualTo(status);
		assertThat(problem(rejection).path("type").asString().replaceFirst(".*#", "")).isEqualTo(type);
		// The list of the application belongs to no rule, so that no rule has its status.
		if (!situation.contains("ratelimit.deny")) {
			use(rule.with(RuleOptions.STATUS, 418));
			assertThat(rejection(unmeasured("a", outcome, 5000), "/").status())
				.isEqualTo(cells.get(3).equals("yes") ? 418 : status);
		}
	}

	@Test
	void theStatusOfEachRejectionIsDocumented() throws IOException {
		assertThat(documentedStatuses().map((cells) -> cells.get(6)).distinct())
			.containsExactlyInAnyOrderElementsOf(Stream.of(Outcome.values())
				.filter((outcome) -> !outcome.passes())
				.map((outcome) -> outcome.name().toLowerCase(Locale.ROOT))
				.toList());
	}

	@ParameterizedTest
	@CsvSource({ "400", "403", "418", "503", "509", "599" })
	void statusOfTheRuleGoesBeforeThatOfTheSituation(int status) {
		use(RuleBuilder.rule("a").limits("1/min").key("global").with(RuleOptions.STATUS, status));
		RejectionResponse rejection = rejection(denied("a"), "/");
		assertThat(rejection.status()).isEqualTo(status);
		assertThat(problem(rejection).get("status").asInt()).isEqualTo(status);
		assertThat(problem(rejection).get("detail").asString()).contains("Retry in 60 seconds.");
	}

	@Test
	void missingKeyIsSaidToBeMissingUnderAnyStatus() {
		use(RuleBuilder.rule("a").limits("1/min").with(RuleOptions.STATUS, 401));
		JsonNode problem = problem(rejection(unmeasured("a", Outcome.KEY_MISSING, Wait.NEVER), "/"));
		assertThat(problem.get("status").asInt()).isEqualTo(401);
		assertThat(problem.get("title").asString()).isEqualTo("Unauthorized");
		assertThat(problem.get("detail").asString()).isEqualTo(
				"The request does not identify the client. Send the required credentials, header, or parameter.");
	}

	@Test
	void statusIsThatOfTheRuleWithTheLongestWait() {
		use(RuleBuilder.rule("a").limits("1/s").key("global"), RuleBuilder.rule("b").limits("1/min").key("ip"));
		Decision both = denied("a").then(denied("b"));
		assertThat(rejection(both, "/").status()).isEqualTo(429);
	}

	@Test
	void hostilePathsStayInsideTheirJsonText() {
		use(RuleBuilder.rule("a").limits("1/min"));
		String path = "/\"},\\\u0000\u001f\u007f\n\u2028<script>\u00e9\ud83c\udf75/";
		assertThat(problem(rejection(denied("a"), path)).get("instance").asString()).isEqualTo(path);
	}

	@Test
	void policiesAreInTheOrderOfTheirNames() {
		use(RuleBuilder.rule("b").limits("1/min"), RuleBuilder.rule("c").limits("1/h"),
				RuleBuilder.rule("a").limits("1/s"));
		Decision all = denied("c").then(denied("b")).then(denied("a"));
		RejectionResponse rejection = rejection(all, "/");
		assertThat(rejection.headers().get("RateLimit-Policy"))
			.isEqualTo("\"a\";q=1;w=1, \"b\";q=1;w=60, \"c\";q=1;w=3600");
		assertThat(rejection.headers().get("RateLimit")).isEqualTo("\"c\";r=0;t=3600, \"b\";r=0;t=60, \"a\";r=0;t=1");
		assertThat(problem(rejection).get("violated-policies").toString()).isEqualTo("[\"a\",\"b\",\"c\"]");
	}

	@Test
	void onlyWhatRejectsIsNamedAsViolated() {
		use(RuleBuilder.rule("a").limits("9/s"), RuleBuilder.rule("b").limits("1/min"),
				RuleBuilder.rule("c").limits("1/h").mode(RuleMode.SHADOW));
		denied("c");
		Decision decision = acquire("a").then(acquire("c")).then(denied("b"));
		RejectionResponse rejection = rejection(decision, "/");
		assertThat(problem(rejection).get("violated-policies").toString()).isEqualTo("[\"b\"]");
		assertThat(rejection.headers().values()).noneMatch((value) -> value.contains("\"c\""));
		assertThat(rejection.headers().get("RateLimit-Policy")).isEqualTo("\"a\";q=9;w=1, \"b\";q=1;w=60");
		assertThat(rejection.headers().get("RateLimit")).isEqualTo("\"b\";r=0;t=60");
	}

	@Test
	void handlerMayChangeAnything() {
		use(RuleBuilder.rule("a").limits("1/min"));
		this.handler = (rejection, request) -> rejection.withStatus(418)
			.withHeader("retry-after", "7")
			.withHeader("X-Own", request.method())
			.withBody("text/plain;charset=UTF-8", "wait " + rejection.retryAfterSeconds().orElseThrow());
		RejectionResponse rejection = rejection(denied("a"), "/");
		assertThat(rejection.status()).isEqualTo(418);
		assertThat(body(rejection)).isEqualTo("wait 60");
		assertThat(rejection.headers()).containsEntry("retry-after", "7")
			.containsEntry("X-Own", "GET")
			.containsEntry("RateLimit", "\"a\";r=0;t=60")
			.containsEntry("Content-Type", "text/plain;charset=UTF-8")
			.doesNotContainKey("Retry-After");
		assertThat(rejection.unexposed(List.of())).contains("Retry-After").doesNotContain("X-Own");
	}

	@Test
	void problemThatTheHandlerChangesIsWrittenAsItIsThen() {
		use(RuleBuilder.rule("a").limits("1/min"));
		this.handler = (rejection, request) -> rejection.withStatus(509)
			.with(rejection.withStatus(509).problem().withText("Enough", "Come back <later>."));
		JsonNode problem = problem(rejection(denied("a"), "/"));
		assertThat(problem.get("status").asInt()).isEqualTo(509);
		assertThat(problem.get("title").asString()).isEqualTo("Enough");
		assertThat(problem.get("detail").asString()).isEqualTo("Come back <later>.");
	}

	static Stream<RateLimitRejectionHandler> failing() {
		return Stream.of((rejection, request) -> {
			throw new IllegalStateException("on purpose");
		}, (rejection, request) -> nothing(), (rejection, request) -> rejection.withStatus(200),
				(rejection, request) -> rejection.withHeader("X-Own", "split\r\nSet-Cookie: a=b"),
				(rejection, request) -> rejection.withHeader("Content-Length", "0"), (rejection, request) -> sneaky());
	}

	@ParameterizedTest
	@MethodSource("failing")
	void handlerThatFailsIsAsIfItWereNotThere(RateLimitRejectionHandler failing) {
		use(RuleBuilder.rule("a").limits("1/min"));
		RejectionResponse without = rejection(denied("a"), "/");
		this.handler = failing;
		RejectionResponse with = rejection(denied("a"), "/");
		assertThat(with.status()).isEqualTo(429);
		assertThat(with.headers()).isEqualTo(without.headers());
		assertThat(body(with)).isEqualTo(body(without));
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "1, 1", "999_999_999, 1", "1_000_000_000, 1", "1_000_000_001, 2", "60_000_000_000, 60" })
	void waitForARequestThatCannotBeHeldIsRoundedUp(String leftNanos, String seconds) {
		use(RuleBuilder.rule("a").limits("1/min"));
		Delay hold = new Delay.Until(Long.parseLong(leftNanos.replace("_", "")), () -> 0, "");
		RequestProgress held = RequestProgress.START.decided(acquire("a"), 0, Completion.NONE, hold);
		RejectionResponse rejection = rejections(this.handler).overcrowded(held, FakeRequest.get("/"), "/");
		assertThat(rejection.headers()).contains(Map.entry("Retry-After", seconds));
		assertThat(body(rejection)).contains("Retry in " + seconds + " second");
	}

	@SuppressWarnings("NullAway")
	private static Rejection nothing() {
		return null;
	}

	// Throw an undeclared checked exception, as Kotlin code may.
	private static Rejection sneaky() {
		throw RejectionFactoryTests.<RuntimeException>undeclared(new IOException("on purpose"));
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> T undeclared(Throwable failure) throws T {
		throw (T) failure;
	}

	@Test
	void exposedHeadersAreNotExposedAgain() {
		use(RuleBuilder.rule("a").limits("1/min"));
		RejectionResponse rejection = rejection(denied("a"), "/");
		assertThat(rejection.unexposed(List.of())).isEqualTo(
				"RateLimit-Policy, RateLimit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After");
		assertThat(rejection.unexposed(List.of("X-Own, ratelimit ", "Retry-After,RateLimit-Policy")))
			.isEqualTo("X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset");
		assertThat(rejection.unexposed(ExposedHeaders.NAMES)).isEmpty();
	}

	private void use(RuleBuilder... rules) {
		RuleSet set = RuleSet.EMPTY.next(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.engine.editions().adopt(set.rules().values());
		this.headers.follow(this.engine.editions().current());
	}

	private Decision denied(String ruleId) {
		acquire(ruleId);
		return acquire(ruleId);
	}

	private Decision acquire(String ruleId) {
		return this.engine.acquire(ruleId, "user:a").blockOptional().orElseThrow();
	}

	private Decision unmeasured(String ruleId, Outcome outcome, long retryAfterMillis) {
		Policy policy = this.engine.rule(ruleId).orElseThrow().families().get(0).policy();
		return new Decision(false, Reason.STORE_UNAVAILABLE, Source.FALLBACK,
				List.of(Verdict.unmeasured(policy, outcome, 1, retryAfterMillis)));
	}

	private RejectionResponse rejection(Decision decision, String path) {
		return rejections(this.handler).rejected(progress(decision), FakeRequest.get("/"), path);
	}

	private static RequestProgress progress(Decision decision) {
		return RequestProgress.START.decided(decision, 0, Completion.NONE,
				Delay.of(decision, List.of(), System::nanoTime));
	}

	private RejectionFactory rejections(RateLimitRejectionHandler handler) {
		return new RejectionFactory(new RejectionStatus(this.engine.editions()), this.headers, ProblemTexts.ENGLISH,
				handler, this.engine.requests());
	}

	private static String body(RejectionResponse rejection) {
		return new String(rejection.body(), StandardCharsets.UTF_8);
	}

	private static JsonNode problem(RejectionResponse rejection) {
		return JsonMapper.builder().build().readTree(rejection.body());
	}

}
