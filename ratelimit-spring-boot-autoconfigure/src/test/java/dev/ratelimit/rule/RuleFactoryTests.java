package dev.ratelimit.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RuleFactoryTests {

	private final RuleFactory factory = Definitions.factory(RuleDefinition.EMPTY);

	@Test
	void leavesOutNothingThatARuleNeeds() {
		Rule rule = rule("search", Definitions.limits("100/min"));
		assertThat(rule).returns("search", Rule::id)
			.returns(Origin.CODE, Rule::origin)
			.returns(Rule.Match.NONE, Rule::match)
			.returns(Access.EQUAL, Rule::access);
		assertThat(rule.key()).returns(List.of(new KeyPart(KeyPart.Kind.CALLER, "")), RuleKey::parts)
			.returns(Optional.empty(), RuleKey::onMissing);
		assertThat(rule.numbers())
			.returns(new LimitSet(LimitSet.Kind.LIMITED,
					List.of(new Limit("token-bucket", 100, Duration.ofMinutes(1), 100)), LimitSet.DEFAULT_STORE),
					RuleNumbers::quota)
			.returns(Map.of(), RuleNumbers::plans)
			.returns(Cost.ONE, RuleNumbers::cost)
			.returns(Optional.empty(), RuleNumbers::bucket)
			.returns(Consistency.STRICT, RuleNumbers::consistency);
		assertThat(rule.reaction()).returns(RuleMode.ENFORCE, Reaction::mode)
			.returns(FailurePolicy.OPEN, Reaction::failure)
			.returns(Phase.AUTO, Reaction::phase)
			.returns(OptionalInt.empty(), Reaction::status)
			.returns(false, Reaction::idempotency)
			.returns(Refund.NEVER, Reaction::refund)
			.returns(List.of(), Reaction::replaces);
	}

	@Test
	void defaultsFillWhatIsLeftOut() {
		RuleFactory strict = Definitions.factory(Definitions.failure(FailurePolicy.CLOSED));
		assertThat(strict.rule("a", Origin.CODE, "a", Definitions.limits("1/s")).reaction().failure())
			.isEqualTo(FailurePolicy.CLOSED);
		RuleDefinition open = Definitions.failure(FailurePolicy.OPEN).over(Definitions.limits("1/s"));
		assertThat(strict.rule("a", Origin.CODE, "a", open).reaction().failure()).isEqualTo(FailurePolicy.OPEN);
	}

	@Test
	void burstOfALimitGoesBeforeThatOfTheRule() {
		LimitDefinition own = new LimitDefinition("10/s", OptionalLong.of(30), Optional.empty());
		Rule rule = rule("a", Definitions.burst(20, own));
		assertThat(rule.limits()).extracting(Limit::burst).containsExactly(30L);
		rule = rule("a", Definitions.burst(20, LimitDefinition.of("10/s")));
		assertThat(rule.limits()).extracting(Limit::burst).containsExactly(20L);
	}

	@Test
	void overridesInheritHowToCount() {
		Rule rule = rule("a", overrides("gcra", Map.of("acme.com", Definitions.limits("20/min").quota())));
		assertThat(rule.numbers().overrides()).containsOnlyKeys("acme.com");
		assertThat(rule.numbers().overrides().get("acme.com").limits()).singleElement()
			.returns("gcra", Limit::algorithm)
			.returns(20L, Limit::quantity);
	}

	@Test
	void overridesThatCannotWorkAreRejected() {
		rejection("a", overrides("gcra", Map.of("acme.com", Definitions.limits("20/never").quota())))
			.returns("ratelimit.rules.x.overrides[acme.com].limit", InvalidRuleException::location);
		rejection("a", overrides("gcra", Map.of("x".repeat(129), Definitions.limits("20/s").quota())))
			.returns("the value of a key must have 1 to 128 characters", InvalidRuleException::reason);
		Map<String, LimitSetDefinition> many = new HashMap<>();
		for (int i = 0; i <= 1000; i++) {
			many.put("tenant-" + i, Definitions.limits("20/s").quota());
		}
		rejection("a", overrides("gcra", many)).returns("a rule can have at most 1000 overrides",
				InvalidRuleException::reason);
		rejection("a", Definitions.key("ip", "route").over(overrides("gcra", Map.of("a", many.get("tenant-1")))))
			.returns("ratelimit.rules.x.overrides", InvalidRuleException::location)
			.returns("Remove 'overrides', or use a key other than 'ip', 'route', and 'global'.",
					InvalidRuleException::action);
		LimitSetDefinition slots = new LimitSetDefinition(List.of(LimitDefinition.of("5")), OptionalLong.empty(),
				Optional.of("concurrency"));
		rejection("a", overrides("gcra", Map.of("a", slots))).returns("ratelimit.rules.x.overrides[a]",
				InvalidRuleException::location);
	}

	@Test
	void overridesThatNameTheKindOfTheKeyAreReported() {
		List<String> warnings = new ArrayList<>();
		LimitSetDefinition more = Definitions.limits("20/min").quota();
		new RuleFactory(RuleDefinition.EMPTY, warnings::add).rule("a", Origin.CODE, "ratelimit.rules.x",
				Definitions.key("ip", "user").over(overrides("gcra", Map.of("user:bob", more, "ip:1", more))));
		assertThat(warnings).containsExactly("ratelimit.rules.x.overrides = 'user:bob': an override names the value of"
				+ " the key, such as 'bob', without its kind");
	}

	private static RuleDefinition overrides(String algorithm, Map<String, LimitSetDefinition> overrides) {
		return new RuleDefinition(Rule.Match.NONE, List.of(),
				new LimitSetDefinition(List.of(LimitDefinition.of("10/min")), OptionalLong.empty(),
						Optional.of(algorithm)),
				Map.of(), overrides, RuleOptions.EMPTY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Search", "1a", "-a", "a_b", "a.b", "a b", "\u00e4",
			"a2345678901234567890123456789012345678901234567890123456789012345" })
	void rejectsIdsThatDoNotFitEverywhere(String id) {
		rejection(id, Definitions.limits("1/s")).returns("ratelimit.rules.x", InvalidRuleException::location)
			.returns(id, InvalidRuleException::value)
			.returns("Rename the rule.", InvalidRuleException::action)
			.satisfies((failure) -> assertThat(failure.reason()).contains("lowercase letter"));
	}

	@Test
	void longestIdIsAccepted() {
		String id = "a234567890123456789012345678901234567890123456789012345678901234";
		assertThat(rule(id, Definitions.limits("1/s")).id()).hasSize(64);
	}

	@Test
	void rejectsAnAlgorithmThatThereIsNot() {
		LimitDefinition limit = new LimitDefinition("1/s", OptionalLong.empty(), Optional.of("leaky-sieve"));
		rejection("a", Definitions.limits(limit)).returns("ratelimit.rules.x.algorithm", InvalidRuleException::location)
			.returns("leaky-sieve", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.reason()).contains("token-bucket"));
	}

	@Test
	void rejectsALimitThatIsNone() {
		rejection("a", Definitions.limits("100/minn"))
			.returns("ratelimit.rules.x.limit", InvalidRuleException::location)
			.returns("100/minn", InvalidRuleException::value)
			.returns("Correct the limit.", InvalidRuleException::action)
			.returns(
					"ratelimit.rules.x.limit = '100/minn': 'minn' is not a period (did you mean 'min'?); use a"
							+ " limit such as 10/s, 100/min, 1000/h, 5000/d, 5/90s, or 5/PT15M",
					InvalidRuleException::getMessage);
	}

	@Test
	void rejectsALimitThatCannotBeCounted() {
		rejection("a", Definitions.limits("20000000/s"))
			.returns("ratelimit.rules.x.limit", InvalidRuleException::location)
			.returns("20000000/s with burst 20000000", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.reason()).contains("10,000,000/s"));
	}

	@Test
	void rejectsARuleWithoutALimit() {
		rejection("a", RuleDefinition.EMPTY).returns("ratelimit.rules.x", InvalidRuleException::location)
			.returns("the rule has no limit", InvalidRuleException::reason)
			.returns("Add one, such as 'limit: 100/min'.", InvalidRuleException::action);
	}

	@Test
	void plansAloneLimitAClientWithoutAPlanAsTheSmallestOfThem() {
		RuleDefinition plans = plans(Map.of("free", "10/min", "also-free", "1/6s", "pro", "100/min", "partner",
				"unlimited", "banned", "0/min"));
		Rule rule = rule("a", plans);
		assertThat(rule.numbers().quota()).isEqualTo(rule.numbers().plans().get("also-free"));
		assertThat(rule.numbers().plans()).hasSize(5);
		assertThat(rule("a", Definitions.limits("1/h").over(plans)).limits()).extracting(Limit::toString)
			.containsExactly("1/h");
	}

	@Test
	void plansAloneThatNameNoSmallestAreRejected() {
		rejection("a", plans(Map.of("partner", "unlimited", "banned", "0/min"))).returns("the rule has no limit",
				InvalidRuleException::reason);
		LimitSetDefinition slots = new LimitSetDefinition(List.of(LimitDefinition.of("5")), OptionalLong.empty(),
				Optional.of("concurrency"));
		rejection("a",
				plans(Map.of("per-minute", Definitions.limits("5/min").quota(), "slots", slots), OptionalLong.empty()))
			.returns("the rule has no limit", InvalidRuleException::reason);
		rejection("a", plans(Map.of("free", Definitions.limits("5/min").quota()), OptionalLong.of(20)))
			.returns("the rule has no limit", InvalidRuleException::reason);
	}

	private static RuleDefinition plans(Map<String, String> limits) {
		Map<String, LimitSetDefinition> plans = new HashMap<>();
		limits.forEach((plan, limit) -> plans.put(plan, Definitions.limits(limit).quota()));
		return plans(plans, OptionalLong.empty());
	}

	private static RuleDefinition plans(Map<String, LimitSetDefinition> plans, OptionalLong burst) {
		return new RuleDefinition(Rule.Match.NONE, List.of(),
				new LimitSetDefinition(List.of(), burst, Optional.empty()), plans, RuleOptions.EMPTY);
	}

	@Test
	void rejectsTwoLimitsForOneWindow() {
		rejection("a", Definitions.limits("100/min", "5/60s"))
			.returns("ratelimit.rules.x.limits", InvalidRuleException::location)
			.returns("5/min", InvalidRuleException::value)
			.returns("the rule has two limits per 1min", InvalidRuleException::reason)
			.returns("Keep the smaller one.", InvalidRuleException::action);
	}

	@Test
	void rejectsALimitOfNothingBesideOthers() {
		rejection("a", Definitions.limits("100/h", "0/min"))
			.returns("ratelimit.rules.x.limits", InvalidRuleException::location)
			.returns("0/min", InvalidRuleException::value)
			.returns("a limit of 0 cannot be combined with other limits", InvalidRuleException::reason);
		assertThat(rule("a", Definitions.limits("0/min")).numbers().quota()).isEqualTo(LimitSet.BLOCKED);
	}

	@Test
	void rejectsOneBurstForSeveralLimits() {
		rejection("a", Definitions.burst(7, LimitDefinition.of("1/s"), LimitDefinition.of("5/min")))
			.returns("ratelimit.rules.x.burst", InvalidRuleException::location)
			.returns("7", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.action()).contains("burst: 150"));
	}

	@Test
	void rejectsACostThatNeverFits() {
		RuleDefinition definition = Definitions.cost(11, "1000/h", "10/s");
		rejection("a", definition).returns("ratelimit.rules.x.cost", InvalidRuleException::location)
			.returns("11", InvalidRuleException::value)
			.returns("it is above the capacity of 10 (10/s), so every request would be rejected",
					InvalidRuleException::reason)
			.returns("Decrease 'cost' or increase 'burst'. See docs/doctor.md#rl007.", InvalidRuleException::action);
		assertThat(rule("a", Definitions.cost(10, "10/s")).numbers().cost()).isEqualTo(Cost.fixed(10));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void rejectsACostThatTakesNothing(long cost) {
		rejection("a", Definitions.cost(cost, "10/s")).returns("ratelimit.rules.x.cost", InvalidRuleException::location)
			.satisfies((failure) -> assertThat(failure.reason()).containsAnyOf("at least 1"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 200, 302, 399, 600 })
	void rejectsAStatusThatRejectsNothing(int status) {
		rejection("a", Definitions.status(status)).returns("ratelimit.rules.x.status", InvalidRuleException::location)
			.returns(Integer.toString(status), InvalidRuleException::value);
	}

	@Test
	void rejectsAnUnknownKeyAndNamesThoseThereAre() {
		rejection("a", Definitions.key("users")).returns("ratelimit.rules.x.key", InvalidRuleException::location)
			.returns("users", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.reason()).contains("caller, user, ip, global, route"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "global", "route" })
	void rejectsARampOfOneSubject(String key) {
		RuleDefinition ramped = Definitions.options(RuleOptions.EMPTY.with(RuleOptions.ENFORCE, Ramp.parse("25%")));
		rejection("a", ramped.over(Definitions.key(key)))
			.returns("ratelimit.rules.x.enforce", InvalidRuleException::location)
			.returns("25%", InvalidRuleException::value)
			.returns("one subject cannot be ramped", InvalidRuleException::reason);
		assertThat(rule("a", ramped.over(Definitions.key("ip"))).reaction().ramp()).hasToString("25%");
	}

	@Test
	void rejectsARampThatWouldLeaveARequestToNoRule() {
		rejection("a",
				Definitions.options(RuleOptions.EMPTY.with(RuleOptions.ENFORCE, Ramp.parse("25%"))
					.with(RuleOptions.REPLACES, List.of("b"))))
			.returns("ratelimit.rules.x.enforce", InvalidRuleException::location);
	}

	@Test
	void rejectsFreeRetriesWhereAFailingStoreCloses() {
		rejection("a", Definitions.closedAndIdempotent())
			.returns("ratelimit.rules.x.idempotency", InvalidRuleException::location)
			.returns("true", InvalidRuleException::value)
			.returns("Remove 'idempotency', or set 'failure: open'.", InvalidRuleException::action);
	}

	private Rule rule(String id, RuleDefinition definition) {
		return this.factory.rule(id, Origin.CODE, "ratelimit.rules.x", definition);
	}

	private ObjectAssert<InvalidRuleException> rejection(String id, RuleDefinition definition) {
		return assertThatThrownBy(() -> rule(id, definition))
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidRuleException.class));
	}

}
