package dev.ratelimit.web;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.Decision;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Phase;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Verdict;
import dev.ratelimit.candidate.CandidateCounts;
import dev.ratelimit.candidate.CandidateDifference;
import dev.ratelimit.candidate.CandidateRules;
import dev.ratelimit.candidate.ChargedTrial;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class RequestGateTests {

	private static final KeyResolver TENANT = (request) -> request.header("X-Tenant");

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	private RequestGate gate = gate(false);

	@ParameterizedTest
	@CsvSource({ "GET, /api/a, true", "HEAD, /api/a, true", "POST, /api/a, false", "GET, /api/a/b, true",
			"GET, /api, true", "GET, /apis, false", "GET, /api/free, false", "GET, /api/free/x, false",
			"GET, /%61pi/a, true", "GET, /api;v=1/a, true", "GET, /API/a, false", "OPTIONS, /api/a, false",
			"GET, /api/%zz, true" })
	void ruleAppliesToItsPathsAndMethods(String method, String path, boolean applies) {
		use(RuleBuilder.rule("a").limits("1/h").paths("/api/**").exceptPaths("/api/free/**").methods("GET"));
		assertThat(enter(FakeRequest.of(method, path)).decision().verdicts().isEmpty()).isNotEqualTo(applies);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "POST", "OPTIONS", "TRACE", "BREW" })
	void ruleWithoutMethodsAppliesToAll(String method) {
		use(RuleBuilder.rule("a").limits("1/h").paths("/**"));
		assertThat(enter(FakeRequest.of(method, "/")).decision().verdicts()).hasSize(1);
	}

	@Test
	void headAndGetDrawOnOneBucket() {
		use(RuleBuilder.rule("a").limits("1/h").paths("/**").methods("GET"));
		assertThat(enter(FakeRequest.of("HEAD", "/")).allowed()).isTrue();
		assertThat(enter(FakeRequest.get("/")).allowed()).isFalse();
	}

	@Test
	void aWebSocketOverHttp2IsCountedByARuleForGet() {
		use(RuleBuilder.rule("a").limits("1/h").paths("/**").methods("GET"));
		assertThat(enter(FakeRequest.of("CONNECT", "/")).allowed()).isTrue();
		assertThat(enter(FakeRequest.of("CONNECT", "/")).allowed()).isFalse();
	}

	@Test
	void preflightIsNeverCountedAndPlainOptionsIs() {
		use(RuleBuilder.rule("a").limits("1/h").paths("/**"));
		FakeRequest preflight = FakeRequest.of("OPTIONS", "/")
			.header("Origin", "https://example.org")
			.header("Access-Control-Request-Method", "PUT");
		assertThat(enter(preflight).decision()).isEqualTo(Decision.UNMATCHED);
		assertThat(enter(FakeRequest.of("OPTIONS", "/").header("Origin", "https://example.org")).allowed()).isTrue();
		assertThat(enter(preflight).allowed()).isTrue();
		assertThat(enter(FakeRequest.of("OPTIONS", "/")).allowed()).isFalse();
		FakeRequest disguised = FakeRequest.get("/").header("Origin", "x").header("Access-Control-Request-Method", "x");
		assertThat(enter(disguised).allowed()).isFalse();
	}

	@Test
	void exemptPathsAreNotCounted() {
		this.gate = new RequestGate(this.engine, GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false),
				ManagementPathsTests.of(List.of("/actuator/**")), false));
		use(RuleBuilder.rule("a").limits("1/h").paths("/**"));
		assertThat(enter(FakeRequest.get("/actuator/health")).decision()).isEqualTo(Decision.UNMATCHED);
		assertThat(enter(FakeRequest.get("/actuators")).decision().verdicts()).hasSize(1);
	}

	@Test
	void restingRuleIsNotThere() {
		use(RuleBuilder.rule("a").limits("1/h").paths("/**").mode(RuleMode.OFF));
		assertThat(this.gate.has(Phase.LATE, this.gate.begin(RequestProgress.START))).isFalse();
		assertThat(enter(FakeRequest.get("/")).decision()).isEqualTo(Decision.UNMATCHED);
	}

	@Test
	void severalRulesAreOneDecisionInTheOrderOfTheirIds() {
		use(RuleBuilder.rule("b").limits("1/h").paths("/**"), RuleBuilder.rule("a").limits("9/h").paths("/**"));
		assertThat(enter(FakeRequest.get("/")).decision().verdicts()).extracting((verdict) -> verdict.policy().name())
			.containsExactly("a", "b");
		assertThat(enter(FakeRequest.get("/")).decision().verdicts()).extracting(Verdict::remaining)
			.containsExactly(8L, 0L);
	}

	@Test
	void rejectionByOwnLimitChargesNoSharedLimit() {
		this.gate = gate(true);
		use(RuleBuilder.rule("all").limits("20/h").key("global").paths("/**"),
				RuleBuilder.rule("own").limits("10/h").key("user").paths("/**"));
		for (int i = 0; i < 12; i++) {
			assertThat(passBoth(FakeRequest.get("/").by("ann")).allowed()).isEqualTo(i < 10);
		}
		assertThat(this.engine.peek("all", "global").block().verdicts()).extracting(Verdict::remaining)
			.containsExactly(10L);
	}

	@Test
	void rulesWithAnAuthenticationBetweenThemAreDecidedInTwoPhases() {
		this.gate = gate(true);
		use(RuleBuilder.rule("login").limits("1/h").key("ip").paths("/**"),
				RuleBuilder.rule("user").limits("1/h").key("user").paths("/**"),
				RuleBuilder.rule("z-late").limits("9/h").key("ip").phase(Phase.LATE).paths("/**"));
		FakeRequest request = FakeRequest.get("/").by("alice");
		RequestProgress early = this.gate.enter(RuleScope.EARLY, request, RequestProgress.START).join();
		assertThat(early.decision().verdicts()).extracting((verdict) -> verdict.policy().name())
			.containsExactly("login");
		RequestProgress late = this.gate.enter(RuleScope.LATE, request, early).join();
		assertThat(late.decision().verdicts()).extracting((verdict) -> verdict.policy().name())
			.containsExactly("login", "user", "z-late");
		assertThat(late.spentNanos()).isGreaterThan(early.spentNanos());
		RequestProgress again = this.gate.enter(RuleScope.LATE, request, early).join();
		assertThat(again.allowed()).isFalse();
		assertThat(again.decision().verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.ALLOWED, Outcome.REJECTED, Outcome.ALLOWED);
	}

	@Test
	void withoutAuthenticationThereIsOnePhase() {
		use(RuleBuilder.rule("a").limits("1/h").key("ip").phase(Phase.EARLY).paths("/**"));
		assertThat(this.gate.has(Phase.EARLY, this.gate.begin(RequestProgress.START))).isFalse();
		assertThat(this.gate.has(Phase.LATE, this.gate.begin(RequestProgress.START))).isTrue();
		assertThat(this.gate.enter(RuleScope.EARLY, FakeRequest.get("/"), RequestProgress.START).join().decision())
			.isEqualTo(Decision.UNMATCHED);
		assertThat(enter(FakeRequest.get("/")).decision().verdicts()).hasSize(1);
	}

	@Test
	void missingKeyThatIsDeniedChargesNobodyElse() {
		use(RuleBuilder.rule("a").limits("1/h").key("ip").paths("/**"),
				RuleBuilder.rule("b").limits("1/h").key("header:X").onMissingKey(MissingKeyPolicy.DENY).paths("/**"));
		RequestProgress denied = enter(FakeRequest.get("/"));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.decision().reason()).isEqualTo(Reason.KEY_MISSING);
		assertThat(enter(FakeRequest.get("/").header("X", "1")).allowed()).isTrue();
	}

	@Test
	void retryWithTheSameKeyIsNotChargedAgain() {
		use(RuleBuilder.rule("pay").limits("1/h").key("ip").idempotency().paths("/**"));
		assertThat(enter(payment("k-1")).decision().reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(enter(payment("k-1")).decision().reason()).isEqualTo(Reason.REPLAYED);
		assertThat(enter(payment("k-2")).allowed()).isFalse();
		assertThat(enter(payment("k-1").from("198.51.100.1")).decision().reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(enter(FakeRequest.of("POST", "/other").header("Idempotency-Key", "k-1")).allowed()).isFalse();
	}

	@Test
	void aRetryThatCostsSomethingElseIsNone() {
		use(RuleBuilder.rule("pay").limits("1000/h").key("ip").cost("header:X-Tokens").idempotency().paths("/**"));
		assertThat(enter(payment("k-1").header("X-Tokens", "1")).decision().reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(enter(payment("k-1").header("X-Tokens", "1")).decision().reason()).isEqualTo(Reason.REPLAYED);
		assertThat(enter(payment("k-1").header("X-Tokens", "1000")).allowed()).isFalse();
	}

	@Test
	void replayWaivesOnlyRulesThatOptedIn() {
		use(RuleBuilder.rule("pay").limits("1/h").key("ip").idempotency().paths("/**"),
				RuleBuilder.rule("total").limits("2/h").key("ip").paths("/**"));
		enter(payment("k-1"));
		assertThat(enter(payment("k-1")).decision().verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REPLAYED, Outcome.ALLOWED);
		assertThat(enter(payment("k-1")).allowed()).isFalse();
	}

	@Test
	void ruleThatAHandlerNamesAppliesWithItsPatternAndOnce() throws NoSuchMethodException {
		Method method = RequestGateTests.class.getDeclaredMethod("handler");
		HandlerKey handler = new HandlerKey(RequestGateTests.class, method);
		PathPatternParser parser = PathPatternParser.defaultInstance;
		HandlerRoute route = new HandlerRoute(handler, parser.parse("/things/{id}"), Set.of("GET"), true);
		HandlerIndex index = new HandlerIndex(List.of(route), handler::equals, "");
		set(RuleBuilder.rule("thing").limits("1/h").key("path:id").paths("/things/{id}/**"));
		this.gate.bind(new HandlerRules(index, Map.of(handler, List.of("thing"))), parser);
		assertThat(enter(FakeRequest.get("/things/1")).decision().verdicts()).hasSize(1);
		assertThat(enter(FakeRequest.get("/things/2")).allowed()).isTrue();
		assertThat(enter(FakeRequest.get("/things/1")).allowed()).isFalse();
		assertThat(enter(FakeRequest.get("/things/1/parts")).allowed()).isFalse();
	}

	void handler() {
	}

	private static FakeRequest payment(String key) {
		return FakeRequest.of("POST", "/pay").header("Idempotency-Key", key);
	}

	// One client has overridden limits, which the candidate does not change.
	@Test
	void aCandidateAppliesTheLimitsThatAClientHasOfItsOwn() {
		use(RuleBuilder.rule("a").limits("9/h").key("user").paths("/**").override("ann", "3/h"));
		CandidateCounts counts = new CandidateCounts();
		Rule changed = RuleBuilder.rule("a").limits("1/h").key("user").paths("/**").override("ann", "3/h").build();
		this.engine.compareWith(new ChargedTrial(
				CandidateRules.of(this.engine.editions().beside(RuleSet.of(7, List.of(changed)), "~c7.")), counts,
				new MemoryLimitStore(1000, () -> 60_000_000_000L), Duration.ofSeconds(1), Time.SYSTEM));
		for (int i = 0; i < 4; i++) {
			enter(FakeRequest.get("/").by("ann"));
			enter(FakeRequest.get("/").by("bob"));
		}
		assertThat(counts.count("a", CandidateDifference.SAME)).as("all of ann, and the first of bob").isEqualTo(5);
		assertThat(counts.count("a", CandidateDifference.WOULD_REJECT)).isEqualTo(3);
	}

	private RequestProgress enter(GateRequest request) {
		return this.gate.enter(RuleScope.LATE, request, RequestProgress.START).join();
	}

	private RequestProgress passBoth(FakeRequest request) {
		RequestProgress early = this.gate.enter(RuleScope.EARLY, request, RequestProgress.START).join();
		return (early.allowed()) ? this.gate.enter(RuleScope.LATE, request, early).join() : early;
	}

	private RequestGate gate(boolean phased) {
		return new RequestGate(this.engine,
				GateSettings.of(new Resolvers(Map.of("tenant", TENANT), Map.of(), Optional.empty()),
						new IdempotencyKeys(Set.of("POST"), false), ManagementPaths.NONE, phased));
	}

	private void use(RuleBuilder... rules) {
		set(rules);
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
	}

	private void set(RuleBuilder... rules) {
		this.engine.editions().adopt(Arrays.stream(rules).map(RuleBuilder::build).toList());
	}

}
