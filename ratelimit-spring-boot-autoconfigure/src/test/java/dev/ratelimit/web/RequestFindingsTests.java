package dev.ratelimit.web;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.doctor.RequestChecks;
import dev.ratelimit.doctor.RequestObservations;
import dev.ratelimit.doctor.UnmatchedCheck;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the findings of the doctor from requests at the gate.
 */
class RequestFindingsTests {

	private static final RuleBuilder BY_ADDRESS = RuleBuilder.rule("by-address")
		.limits("1000000/s")
		.key("ip")
		.paths("/**");

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

	private final RequestObservations observations = new RequestObservations(this.now::get,
			(request) -> request.remoteAddress().equals("10.0.0.1"));

	private final RateLimitEngine engine = new RateLimitEngine(new Editions(),
			new MemoryLimitStore(10_000, () -> 60_000_000_000L), StoreDeadlines.of(Duration.ofSeconds(1)), "secret",
			IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of(this.observations)), Time.SYSTEM,
			WaitQueues.Factory.NONE);

	private final RequestGate gate = new RequestGate(this.engine,
			new GateSettings(Resolvers.NONE, Callers.EQUAL, new IdempotencyKeys(Set.of("POST"), false),
					ManagementPaths.NONE, false, this.observations, PartitionKeys.NONE));

	private final ActiveRules.Reference active = new ActiveRules.Reference();

	private final UnmatchedCheck unmatched = new UnmatchedCheck(this.observations, Duration.ofMinutes(10),
			this.now::get, this.active::get);

	@ParameterizedTest
	@ValueSource(strings = { "X-Forwarded-For", "Forwarded" })
	void headersOfAProxyThatIsNotTrustedAreFound(String header) {
		use(BY_ADDRESS);
		send(10, (index) -> FakeRequest.get("/").from("10.0.0.2").header(header, "for=203.0.113." + index));
		assertThat(found()).extracting(Finding::code).containsExactly(FindingCode.UNTRUSTED_FORWARDING);
		assertThat(found().get(0).location()).isEqualTo("rules [by-address]");
		assertThat(found().get(0).detail()).startsWith("10 of 10 ").doesNotContain("203.0.113", "10.0.0.2");
	}

	@Test
	void anAddressStandsInForAMissingUser() {
		use(RuleBuilder.rule("by-user").limits("1000000/s").key("user").paths("/**"));
		send(10, (index) -> FakeRequest.get("/").header("X-Forwarded-For", "203.0.113.7"));
		assertThat(found()).extracting(Finding::location).contains("rules [by-user]");
	}

	@Test
	void headersOfATrustedProxyAreAsTheyShouldBe() {
		use(BY_ADDRESS);
		send(10, (index) -> FakeRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", "203.0.113.7"));
		assertThat(found()).isEmpty();
	}

	@Test
	void oneClientBehindATrustedProxyIsNotFound() {
		use(BY_ADDRESS);
		send(100, (index) -> FakeRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", "203.0.113.7"));
		assertThat(found()).isEmpty();
	}

	@Test
	void headersThatSomeClientsMakeUpAreNotFound() {
		use(BY_ADDRESS);
		send(100, (index) -> (index % 3 == 0) ? FakeRequest.get("/").header("X-Forwarded-For", "1.1.1.1")
				: FakeRequest.get("/").from("192.0.2." + index));
		assertThat(found()).isEmpty();
	}

	@Test
	void oneAddressIsFoundWhereRulesGoByAddresses() {
		use(BY_ADDRESS);
		send(99, (index) -> FakeRequest.get("/"));
		assertThat(found()).isEmpty();
		send(1, (index) -> FakeRequest.get("/"));
		assertThat(found()).extracting(Finding::code).containsExactly(FindingCode.ONE_ADDRESS);
		send(1, (index) -> FakeRequest.get("/").from("192.0.2.2"));
		assertThat(found()).isEmpty();
	}

	@Test
	void addressesDoNotMatterWhereNoRuleGoesByThem() {
		use(RuleBuilder.rule("all").limits("1000000/s").key("global").paths("/**"),
				RuleBuilder.rule("off").limits("1/s").paths("/**").mode(RuleMode.OFF));
		send(200, (index) -> FakeRequest.get("/").header("X-Forwarded-For", "203.0.113.7"));
		assertThat(found()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "SHARED, share one bucket", "SKIP, are not limited", "DENY, are rejected", "IP, by client address" })
	void keyThatMostRequestsLackIsFound(MissingKeyPolicy onMissingKey, String consequence) {
		use(RuleBuilder.rule("tenant")
			.limits("1000000/s")
			.key("header:X-Tenant")
			.onMissingKey(onMissingKey)
			.paths("/**"));
		send(9, (index) -> FakeRequest.get("/").header("X-Tenant", "a"));
		send(90, (index) -> FakeRequest.get("/").from("192.0.2." + index));
		assertThat(found()).isEmpty();
		send(1, (index) -> FakeRequest.get("/"));
		assertThat(found()).extracting(Finding::location).containsExactly("ratelimit.rules.tenant.key");
		assertThat(found().get(0).detail()).startsWith("91 of 100 ").contains(consequence);
	}

	@Test
	void aRequestThatLacksSeveralPartsOfAKeyIsCountedOnce() {
		use(RuleBuilder.rule("tenant").limits("1000000/s").key("header:X-Tenant", "header:X-Key").paths("/**"));
		send(100, (index) -> FakeRequest.get("/").from("192.0.2." + index));
		assertThat(found().get(0).detail()).startsWith("100 of 100 ");
		assertThat(this.observations.lacking("tenant")).isEqualTo(100);
	}

	@Test
	void countsStayWhileARuleIsOff() {
		RuleBuilder tenant = RuleBuilder.rule("tenant").limits("1000000/s").key("header:X-Tenant").paths("/**");
		use(tenant);
		send(100, (index) -> FakeRequest.get("/").from("192.0.2." + index));
		this.engine.editions().adopt((rule) -> RuleMode.OFF);
		assertThat(this.observations.lacking("tenant")).isEqualTo(100);
		this.engine.editions().adopt((rule) -> RuleMode.ENFORCE);
		assertThat(this.observations.lacking("tenant")).isEqualTo(100);
	}

	@Test
	void aRequestThatARuleMatchesByBothOfItsPathsIsCountedOnce() {
		use(RuleBuilder.rule("tenant")
			.limits("1000000/s")
			.key("header:X-Tenant")
			.onMissingKey(MissingKeyPolicy.SKIP)
			.paths("/**"));
		send(100, (index) -> FakeRequest.get("/a%2F..%2Fb").from("192.0.2." + index));
		assertThat(this.observations.lacking("tenant")).isEqualTo(100);
		assertThat(this.observations.evaluations("tenant")).isEqualTo(100);
	}

	@ParameterizedTest
	@CsvSource({ "user, are counted by client address", "claim:tenant, are counted by client address",
			"path:id, share one bucket", "form:name, share one bucket",
			"'user,header:X-Key', 'without a user or claim are counted by client address, and others share one'" })
	void eachKeyThatMostRequestsLackIsFound(String key, String consequence) {
		RuleObservations seen = new RuleObservations(RuleBuilder.rule("a").limits("1/s").key(key.split(",")).build(),
				Instant.EPOCH);
		IntStream.range(0, 100).forEach((index) -> {
			seen.sawMatch();
			seen.sawNoKey();
		});
		assertThat(seen.evaluations()).isEqualTo(100);
		assertThat(seen.lacking()).isEqualTo(100);
		this.observations.use(List.of(seen));
		assertThat(found()).extracting(Finding::code).containsExactly(FindingCode.MISSING_KEY);
		assertThat(found().get(0).detail()).contains("without 'on-missing-key'", consequence);
	}

	@Test
	void costsThatNoBucketHoldsAreFound() {
		use(RuleBuilder.rule("costly").limits("5/min").key("ip").cost("header:X-Cost").paths("/**"));
		send(9, (index) -> FakeRequest.get("/").from("192.0.2." + index).header("X-Cost", "6"));
		assertThat(found()).isEmpty();
		send(1, (index) -> FakeRequest.get("/").header("X-Cost", "6"));
		assertThat(found()).extracting(Finding::code).containsExactly(FindingCode.COST_ABOVE_CAPACITY);
		assertThat(found().get(0).detail()).contains("5/min");
	}

	@Test
	void aRequestThatFitsSeveralLimitsOfARuleNeverIsFoundOnce() {
		use(RuleBuilder.rule("costly").limits("5/min", "50/h").key("ip").cost("header:X-Cost").paths("/**"));
		send(9, (index) -> FakeRequest.get("/").from("192.0.2." + index).header("X-Cost", "60"));
		assertThat(found()).isEmpty();
		send(1, (index) -> FakeRequest.get("/").header("X-Cost", "60"));
		assertThat(found()).singleElement().satisfies((finding) -> assertThat(finding.detail()).startsWith("10 "));
	}

	@Test
	void ordinaryRejectionsAreNoneOfThese() {
		use(RuleBuilder.rule("few").limits("5/min").key("ip").paths("/**"));
		send(50, (index) -> FakeRequest.get("/"));
		assertThat(found()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "https://other.example, localhost, '', false, true",
			"https://other.example, localhost, '', true, false",
			"http://localhost:8080, localhost:8080, '', false, false",
			"https://app.example, app.example, '', false, false",
			"https://other.example, localhost, same-origin, false, false", "null, localhost, '', false, false" })
	void rejectionsThatPagesCannotReadAreFound(String origin, String host, String site, boolean readable,
			boolean found) {
		FakeRequest request = FakeRequest.get("/").header("Origin", origin).header("Host", host);
		IntStream.range(0, 10)
			.forEach((index) -> this.observations.rejected(request.header("Sec-Fetch-Site", site), readable));
		assertThat(found()).extracting(Finding::code)
			.isEqualTo((found) ? List.of(FindingCode.REJECTION_WITHOUT_CORS) : List.of());
	}

	@Test
	void noFindingIfOneRejectionHasCors() {
		FakeRequest request = FakeRequest.get("/").header("Origin", "https://other.example");
		IntStream.range(0, 10).forEach((index) -> this.observations.rejected(request, index == 5));
		assertThat(found()).isEmpty();
	}

	@Test
	void requestThatComesThroughTwoFiltersOfOnePhaseIsFound() {
		use(BY_ADDRESS);
		RequestProgress once = this.gate.enter(RuleScope.LATE, FakeRequest.get("/"), RequestProgress.START).join();
		assertThat(found()).isEmpty();
		this.gate.enter(RuleScope.LATE, FakeRequest.get("/"), once).join();
		assertThat(found()).extracting(Finding::code).containsExactly(FindingCode.TWO_LIMITERS);
	}

	@Test
	void quotaHeadersOfSomebodyElseAreFound() {
		this.observations.responding(RequestProgress.START, "X-Other", Object::equals);
		assertThat(found()).isEmpty();
		this.observations.responding(RequestProgress.START, "X-RateLimit-Remaining", Object::equals);
		assertThat(found()).extracting(Finding::location).containsExactly("headers");
	}

	@Test
	void ruleWithoutRequestsIsFoundInTime() {
		use(BY_ADDRESS, RuleBuilder.rule("typo").limits("5/min").paths("/aip/**"),
				RuleBuilder.rule("off").limits("5/min").paths("/none").mode(RuleMode.OFF),
				RuleBuilder.rule("by-code").limits("5/min"));
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(10)));
		send(99, (index) -> FakeRequest.get("/api/" + index));
		assertThat(this.unmatched.findings()).isEmpty();
		send(1, (index) -> FakeRequest.get("/api/"));
		assertThat(this.unmatched.findings()).extracting(Finding::location).containsExactly("ratelimit.rules.typo");
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(10)).minusMillis(1));
		assertThat(this.unmatched.findings()).isEmpty();
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(10)));
		send(1, (index) -> FakeRequest.get("/aip/"));
		assertThat(this.unmatched.findings()).isEmpty();
	}

	@Test
	void aRuleThatAllClientsBypassHasMatched() {
		use(BY_ADDRESS,
				RuleBuilder.rule("partner")
					.limits("5/min")
					.key("ip")
					.paths("/**")
					.with(RuleOptions.ALLOW, List.of("192.0.2.0/24")));
		send(100, (index) -> FakeRequest.get("/").from("192.0.2." + index));
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(11)));
		assertThat(this.unmatched.findings()).isEmpty();
	}

	@Test
	void ruleThatChangesIsAwaitedAnew() {
		RuleBuilder typo = RuleBuilder.rule("typo").limits("5/min").paths("/aip/**");
		use(BY_ADDRESS, typo);
		send(100, (index) -> FakeRequest.get("/api"));
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(9)));
		use(BY_ADDRESS, typo);
		this.now.set(Instant.EPOCH.plus(Duration.ofMinutes(11)));
		assertThat(this.unmatched.findings()).hasSize(1);
		use(BY_ADDRESS, typo.paths("/other"));
		assertThat(this.unmatched.findings()).isEmpty();
	}

	@Test
	void laterRequestsAreSampled() {
		use(BY_ADDRESS);
		send(10_256, (index) -> FakeRequest.get("/"));
		assertThat(this.observations.peers().requests()).isBetween(256L + 60, 256L + 320);
	}

	private void use(RuleBuilder... rules) {
		RuleSet set = RuleSet.EMPTY.next(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.engine.editions().adopt(set.rules().values());
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		this.active.set(new ActiveRules(
				set.rules().values().stream().map((rule) -> new RuleReach(rule, List.of(), false)).toList()));
	}

	private void send(int times, IntFunction<FakeRequest> requests) {
		IntStream.range(0, times)
			.forEach((index) -> this.gate.enter(RuleScope.LATE, requests.apply(index), RequestProgress.START).join());
	}

	private List<Finding> found() {
		return new RequestChecks(this.observations).findings();
	}

}
