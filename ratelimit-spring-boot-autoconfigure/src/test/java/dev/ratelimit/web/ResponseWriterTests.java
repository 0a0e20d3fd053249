package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.RuleBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseWriterTests {

	private final RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(100, () -> 60_000_000_000L),
			Duration.ofSeconds(1), "secret", IdempotencySettings.DEFAULT, List.of());

	private final ResponseWriter writer = new ResponseWriter(this.engine,
			InstantSource.fixed(Instant.ofEpochMilli(1_795_255_000_123L)));

	@Test
	void excessOfOneCallerIsTold() {
		use(RuleBuilder.rule("orders", "1/min"));
		Refusal refusal = this.writer.refusal(denied("orders"), "/app/orders");
		assertThat(refusal.status()).isEqualTo(429);
		assertThat(refusal.fields()).containsExactly(new HeaderField("RateLimit-Policy", "\"orders\";q=1;w=60"),
				new HeaderField("RateLimit", "\"orders\";r=0;t=60"), new HeaderField("X-RateLimit-Limit", "1"),
				new HeaderField("X-RateLimit-Remaining", "0"), new HeaderField("X-RateLimit-Reset", "1795255061"),
				new HeaderField("Retry-After", "60"), new HeaderField("Cache-Control", "no-store"),
				new HeaderField("Content-Type", "application/problem+json"));
		assertThat(new String(refusal.body(), StandardCharsets.UTF_8))
			.isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
					+ "\"title\":\"Quota Exceeded\",\"status\":429,"
					+ "\"detail\":\"Rate limit exceeded. Retry in 60 seconds.\","
					+ "\"instance\":\"/app/orders\",\"violated-policies\":[\"orders\"]}");
	}

	@ParameterizedTest
	@CsvSource({ "ip, 429", "user, 429", "global, 503", "route, 503" })
	void bucketThatEverybodySharesIsTheServersShortage(String key, int status) {
		use(RuleBuilder.rule("a", "1/min").key(key));
		Refusal refusal = this.writer.refusal(denied("a"), "/");
		assertThat(refusal.status()).isEqualTo(status);
		assertThat(problem(refusal).get("status").asInt()).isEqualTo(status);
		assertThat(problem(refusal).get("type").asString())
			.endsWith((status != 503) ? "#quota-exceeded" : "#temporary-reduced-capacity");
	}

	@Test
	void keyOfRouteAndCallerIsTheCallersExcess() {
		use(RuleBuilder.rule("a", "1/min").key("route", "ip"));
		assertThat(this.writer.refusal(denied("a"), "/").status()).isEqualTo(429);
	}

	@Test
	void closedFailureIsAShortageToo() {
		use(RuleBuilder.rule("a", "1/min").closed());
		Refusal refusal = this.writer.refusal(unmeasured("a", Outcome.FAILED_CLOSED, 1000), "/");
		assertThat(refusal.status()).isEqualTo(503);
		assertThat(problem(refusal).get("title").asString()).isEqualTo("Temporary Reduced Capacity");
		assertThat(problem(refusal).get("detail").asString()).endsWith("Retry in 1 second.");
		assertThat(names(refusal)).containsExactly("Retry-After", "Cache-Control", "Content-Type");
	}

	@Test
	void missingKeyIsForbiddenAndNoWaitHelps() {
		use(RuleBuilder.rule("a", "1/min"));
		Refusal refusal = this.writer.refusal(unmeasured("a", Outcome.KEY_MISSING, Verdict.NEVER), "/");
		assertThat(refusal.status()).isEqualTo(403);
		assertThat(new String(refusal.body(), StandardCharsets.UTF_8))
			.isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
					+ "\"detail\":\"This request lacks what tells callers apart.\","
					+ "\"instance\":\"/\",\"violated-policies\":[\"a\"]}");
		assertThat(names(refusal)).containsExactly("Cache-Control", "Content-Type");
	}

	@ParameterizedTest
	@CsvSource({ "400", "403", "418", "503", "599" })
	void statusOfTheRuleGoesBeforeThatOfTheSituation(int status) {
		use(RuleBuilder.rule("a", "1/min").key("global").status(status));
		Refusal refusal = this.writer.refusal(denied("a"), "/");
		assertThat(refusal.status()).isEqualTo(status);
		assertThat(problem(refusal).get("status").asInt()).isEqualTo(status);
		assertThat(problem(refusal).get("detail").asString()).contains("Retry in 60 seconds.");
	}

	@Test
	void missingKeyIsSaidToBeMissingUnderAnyStatus() {
		use(RuleBuilder.rule("a", "1/min").status(401));
		JsonNode problem = problem(this.writer.refusal(unmeasured("a", Outcome.KEY_MISSING, Verdict.NEVER), "/"));
		assertThat(problem.get("status").asInt()).isEqualTo(401);
		assertThat(problem.get("title").asString()).isEqualTo("Unauthorized");
		assertThat(problem.get("detail").asString()).isEqualTo("This request lacks what tells callers apart.");
	}

	@Test
	void statusIsThatOfTheRuleWithTheLongestWait() {
		use(RuleBuilder.rule("a", "1/s").key("global"), RuleBuilder.rule("b", "1/min").key("ip"));
		Decision both = denied("a").then(denied("b"));
		assertThat(this.writer.refusal(both, "/").status()).isEqualTo(429);
	}

	@Test
	void hostilePathsStayInsideTheirJsonText() {
		use(RuleBuilder.rule("a", "1/min"));
		String path = "/\"},\\\u0000\u001f\u007f\n\u2028<script>\u00e9\ud83c\udf75/";
		assertThat(problem(this.writer.refusal(denied("a"), path)).get("instance").asString()).isEqualTo(path);
	}

	@Test
	void policiesAreInTheOrderOfTheirNames() {
		use(RuleBuilder.rule("b", "1/min"), RuleBuilder.rule("c", "1/h"), RuleBuilder.rule("a", "1/s"));
		Decision all = denied("c").then(denied("b")).then(denied("a"));
		Refusal refusal = this.writer.refusal(all, "/");
		assertThat(refusal.fields().get(0).value()).isEqualTo("\"a\";q=1;w=1, \"b\";q=1;w=60, \"c\";q=1;w=3600");
		assertThat(refusal.fields().get(1).value()).isEqualTo("\"c\";r=0;t=3600, \"b\";r=0;t=60, \"a\";r=0;t=1");
		assertThat(problem(refusal).get("violated-policies").toString()).isEqualTo("[\"a\",\"b\",\"c\"]");
	}

	@Test
	void onlyWhatRefusesIsNamedAsViolated() {
		use(RuleBuilder.rule("a", "9/s"), RuleBuilder.rule("b", "1/min"),
				RuleBuilder.rule("c", "1/h").mode(RuleMode.SHADOW));
		denied("c");
		Decision decision = acquire("a").then(acquire("c")).then(denied("b"));
		Refusal refusal = this.writer.refusal(decision, "/");
		assertThat(problem(refusal).get("violated-policies").toString()).isEqualTo("[\"b\"]");
		assertThat(refusal.fields()).extracting(HeaderField::value).noneMatch((value) -> value.contains("\"c\""));
		assertThat(refusal.fields().get(0).value()).isEqualTo("\"a\";q=9;w=1, \"b\";q=1;w=60");
		assertThat(refusal.fields().get(1).value()).isEqualTo("\"b\";r=0;t=60");
	}

	private void use(RuleBuilder... rules) {
		RuleSet set = RuleSet.EMPTY.next(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.engine.use(set);
		this.writer.use(set);
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

	private static List<String> names(Refusal refusal) {
		return refusal.fields().stream().map(HeaderField::name).toList();
	}

	private static JsonNode problem(Refusal refusal) {
		return JsonMapper.builder().build().readTree(refusal.body());
	}

}
