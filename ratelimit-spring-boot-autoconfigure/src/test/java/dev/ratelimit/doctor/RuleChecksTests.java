package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.Ramp;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RuleChecksTests {

	private final ActiveRules.Reference active = new ActiveRules.Reference();

	private final RuleChecks checks = new RuleChecks(this.active::get, true);

	static Stream<RuleBuilder> differentFromTheGeneralRule() {
		return Stream.of(specific("4/min"), specific("5/min").key("user"), specific("5/min").cost("2"),
				specific("5/min").mode(RuleMode.SHADOW), specific("5/min").mode(RuleMode.OFF),
				specific("5/min").failure(FailurePolicy.CLOSED), specific("5/min").bucket("shared"),
				specific("5/min").plan("paid", "9/min"), specific("5/min").algorithm("sliding-window"),
				specific("5/min").phase(Phase.EARLY), specific("5/min").onMissingKey(MissingKeyPolicy.DENY),
				specific("5/min").replaces("general"), specific("5/min").paths("/other"), specific("5/min").burst(4),
				specific("5/min", "1/s"), specific("5/min").idempotency(),
				specific("5/min").with(RuleOptions.STATUS, 420), specific("unlimited"), specific("0/min"),
				specific("5/min").store("local"));
	}

	private static RuleBuilder specific(String... limits) {
		return RuleBuilder.rule("specific").limits(limits).key("ip").paths("/api/a");
	}

	private static RuleBuilder general(String... limits) {
		return RuleBuilder.rule("general").limits(limits).key("ip").paths("/api/**");
	}

	@ParameterizedTest
	@CsvSource({ "5/min, 5/min", "5/min, 9/min", "5/min, 300/h", "60/h, 60/min" })
	void ruleBehindOneAsStrictIsFound(String strict, String loose) {
		assertThat(found(FindingCode.REDUNDANT_RULE, general(strict), specific(loose))).singleElement()
			.satisfies((finding) -> assertThat(finding.location()).isEqualTo("ratelimit.rules.specific"))
			.satisfies((finding) -> assertThat(finding.detail()).contains("'general'", strict));
	}

	@ParameterizedTest
	@MethodSource("differentFromTheGeneralRule")
	void ruleThatMayDecideIsNotFound(RuleBuilder specific) {
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min"), specific)).isEmpty();
	}

	@Test
	void generalRuleThatLeavesSomethingOutShadowsNothing() {
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").methods("GET"), specific("5/min"))).isEmpty();
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").exceptPaths("/api/a/b"), specific("5/min")))
			.isEmpty();
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").mode(RuleMode.SHADOW), specific("5/min")))
			.isEmpty();
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").with(RuleOptions.ALLOW, List.of("10.0.0.0/8")),
				specific("5/min")))
			.isEmpty();
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").methods("GET"), specific("5/min").methods("GET")))
			.hasSize(1);
	}

	@Test
	void windowsMustBeTheSame() {
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").algorithm("fixed-window"),
				specific("300/h").algorithm("fixed-window")))
			.isEmpty();
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min").algorithm("fixed-window"),
				specific("6/min").algorithm("fixed-window")))
			.hasSize(1);
	}

	@Test
	void ofTwinsOneIsFound() {
		RuleBuilder twin = RuleBuilder.rule("z-twin").limits("5/min").key("ip").paths("/api/**");
		assertThat(found(FindingCode.REDUNDANT_RULE, general("5/min"), twin)).extracting(Finding::location)
			.containsExactly("ratelimit.rules.z-twin");
	}

	@Test
	void ruleOfAHandlerIsFoundByItsPaths() {
		RuleReach handler = new RuleReach(RuleBuilder.rule("handler").limits("5/min").key("ip").build(),
				List.of("/api/{id}"), false);
		this.active.set(new ActiveRules(List.of(handler, new RuleReach(general("5/min").build(), List.of(), false))));
		assertThat(this.checks.findings()).extracting(Finding::location).containsExactly("ratelimit.rules.handler");
	}

	@ParameterizedTest
	@CsvSource({ "header:X-User-Id", "param:user" })
	void keyThatCallersChooseIsFound(String key) {
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, specific("5/min").key(key))).extracting(Finding::location)
			.containsExactly("ratelimit.rules.specific.key");
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, specific("5/min").key(key, "ip"))).isEmpty();
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, specific("5/min").key(key).mode(RuleMode.SHADOW)))
			.isEmpty();
	}

	@Test
	void keyThatCallersChooseMayStandBesideAnotherRuleOrBehindAuthentication() {
		RuleBuilder chosen = specific("5/min").key("header:X-Api-Key");
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, chosen, general("100/min"))).isEmpty();
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, chosen, general("100/min").mode(RuleMode.SHADOW)))
			.hasSize(1);
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, chosen, general("100/min").paths("/elsewhere"))).hasSize(1);
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, chosen, general("unlimited"))).hasSize(1);
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, chosen,
				general("100/min").with(RuleOptions.ENFORCE, Ramp.parse("1%"))))
			.hasSize(1);
		assertThat(found(FindingCode.CLIENT_CONTROLLED_KEY, specific("unlimited").key("header:X-Api-Key"))).isEmpty();
		this.active.set(new ActiveRules(List.of(new RuleReach(chosen.build(), List.of(), true))));
		assertThat(this.checks.findings()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRuleThatIsDecidedLaterDoesNotLimitWhatAuthenticationRejects(boolean later) {
		RuleReach logins = new RuleReach(specific("5/min").key("form:username").build(), List.of(), false);
		this.active.set(new ActiveRules(List.of(logins, new RuleReach(general("100/min").build(), List.of(), later))));
		assertThat(this.checks.findings().isEmpty()).isNotEqualTo(later);
	}

	@Test
	void aTokenBucketPerDayIsAHint() {
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("10000/d"))).singleElement().satisfies((finding) -> {
			assertThat(finding.code().severity()).isEqualTo(FindingCode.Severity.HINT);
			assertThat(finding.detail())
				.startsWith("'10000/d' refills evenly: from a full bucket, a client can use 20000 in 1d. A time zone");
		});
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("10/min").plan("pro", "5000/week"))).hasSize(1);
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("10000/d").burst(100))).isEmpty();
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("10000/day UTC"))).isEmpty();
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("10000/d").algorithm("sliding-window"))).isEmpty();
		assertThat(found(FindingCode.REFILLED_QUOTA, specific("1000/23h"))).isEmpty();
	}

	@Test
	void ruleThatCannotLeaseIsFound() {
		assertThat(found(FindingCode.IDLE_LEASE, leased("100/min").algorithm("sliding-log"))).hasSize(1);
		assertThat(found(FindingCode.IDLE_LEASE, leased("19/min"))).hasSize(1);
		assertThat(found(FindingCode.IDLE_LEASE, leased("100/min").idempotency())).singleElement()
			.satisfies((finding) -> assertThat(finding.detail()).contains("Idempotency-Key"));
		assertThat(found(FindingCode.IDLE_LEASE, leased("100/min"))).isEmpty();
		assertThat(found(FindingCode.IDLE_LEASE, leased("19/min", "100/h"))).isEmpty();
		assertThat(found(FindingCode.IDLE_LEASE, specific("19/min"))).isEmpty();
	}

	@Test
	void idleLeaseIsNotReportedWithoutLeasingStore() {
		RuleChecks memory = new RuleChecks(this.active::get, false);
		this.active.set(new ActiveRules(reaches(leased("19/min"))));
		assertThat(memory.findings()).isEmpty();
	}

	private static RuleBuilder leased(String... limits) {
		return specific(limits).with(RuleOptions.CONSISTENCY, Consistency.LEASED);
	}

	private List<Finding> found(FindingCode code, RuleBuilder... rules) {
		this.active.set(new ActiveRules(reaches(rules)));
		return this.checks.findings().stream().filter((finding) -> finding.code() == code).toList();
	}

	private static List<RuleReach> reaches(RuleBuilder... rules) {
		return Arrays.stream(rules).map((rule) -> new RuleReach(rule.build(), List.of(), false)).toList();
	}

	@Test
	void rulesAreComparedOnceAndWhenTheDoctorLooks() {
		List<List<RuleReach>> examined = new ArrayList<>();
		RuleChecks counted = new RuleChecks(this.active::get, false, (rules, leasing) -> {
			examined.add(rules);
			return List.of();
		});
		List<RuleReach> rules = List.of(new RuleReach(RuleBuilder.rule("a").limits("1/s").build(), List.of(), false));
		this.active.set(new ActiveRules(List.of()));
		this.active.set(new ActiveRules(rules));
		assertThat(examined).as("nothing is compared where rules become active").isEmpty();
		counted.findings();
		counted.findings();
		assertThat(examined).singleElement().isEqualTo(rules);
		this.active.set(new ActiveRules(List.copyOf(rules)));
		counted.findings();
		assertThat(examined).hasSize(2);
	}

}
