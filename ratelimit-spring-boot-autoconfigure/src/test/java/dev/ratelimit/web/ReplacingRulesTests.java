package dev.ratelimit.web;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests specific rules that replace general ones.
 */
class ReplacingRulesTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	private final RequestGate gate = gate(true);

	@ParameterizedTest
	@CsvSource({ "EARLY, EARLY", "LATE, EARLY", "LATE, LATE" })
	void aRuleReplacesAnotherOfItsPhaseOrLater(Phase general, Phase special) {
		use(RuleBuilder.rule("general").limits("1/h").key("ip").phase(general).paths("/**"),
				RuleBuilder.rule("special")
					.limits("2/h")
					.key("ip")
					.phase(special)
					.paths("/special")
					.replaces("general"));
		assertThat(names("/special")).containsExactly("special");
		assertThat(names("/other")).containsExactly("general");
		assertThat(pass("/special").allowed()).isTrue();
		assertThat(pass("/special").allowed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "user, AUTO, ENFORCE", "user, AUTO, SHADOW", "global, AUTO, ENFORCE", "ip, LATE, ENFORCE" })
	void aLateRuleCannotReplaceAnEarlyOne(String key, Phase phase, RuleMode mode) {
		RuleBuilder special = RuleBuilder.rule("special")
			.limits("2/h")
			.key(key)
			.phase(phase)
			.mode(mode)
			.replaces("login");
		assertThatThrownBy(() -> use(login(), special.paths("/special")))
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidRuleException.class))
			.returns("ratelimit.rules.special.replaces", InvalidRuleException::location)
			.returns("login", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.reason()).contains("'special'", "'login'", "neither rule"))
			.satisfies(
					(failure) -> assertThat(failure.action()).contains("'phase: late'", "'login'", "'phase: early'"));
	}

	@Test
	void disabledRuleNeitherReplacesNorIsReplaced() {
		use(login(), RuleBuilder.rule("special").limits("2/h").key("user").mode(RuleMode.OFF).replaces("login"));
		use(login().mode(RuleMode.OFF), RuleBuilder.rule("special").limits("2/h").key("user").replaces("login"));
		assertThat(names("/special")).isEmpty();
	}

	@Test
	void withoutAuthenticationThereIsOnePhaseToReplaceIn() {
		RequestGate whole = gate(false);
		use(whole, login(), RuleBuilder.rule("special").limits("2/h").key("user").paths("/special").replaces("login"));
		RequestProgress progress = whole.enter(RuleScope.LATE, FakeRequest.get("/special"), RequestProgress.START)
			.join();
		assertThat(progress.decision().verdicts()).extracting((verdict) -> verdict.policy().name())
			.containsExactly("special");
	}

	@ParameterizedTest
	@CsvSource({ "SHADOW", "OFF" })
	void aRuleThatDoesNotEnforceReplacesNone(RuleMode mode) {
		use(RuleBuilder.rule("general").limits("1/h").key("ip").paths("/**"),
				RuleBuilder.rule("special").limits("2/h").key("ip").paths("/special").replaces("general").mode(mode));
		assertThat(names("/special")).contains("general");
		assertThat(pass("/special").allowed()).isFalse();
	}

	@Test
	void aRuleThatWatchesCanBeReplaced() {
		use(RuleBuilder.rule("general").limits("1/h").key("ip").paths("/**").mode(RuleMode.SHADOW),
				RuleBuilder.rule("special").limits("2/h").key("ip").paths("/special").replaces("general"));
		assertThat(names("/special")).containsExactly("special");
	}

	@Test
	void aRuleWithoutLimitReplacesToo() {
		use(RuleBuilder.rule("general").limits("1/h").key("ip").phase(Phase.LATE).paths("/**"),
				RuleBuilder.rule("special")
					.limits("unlimited")
					.key("ip")
					.phase(Phase.EARLY)
					.paths("/a")
					.replaces("general"));
		for (int i = 0; i < 3; i++) {
			assertThat(names("/a")).containsExactly("special");
		}
		assertThat(pass("/b").allowed()).isTrue();
		assertThat(pass("/b").allowed()).isFalse();
	}

	@Test
	void methodsAndExceptPathsSayWhereARuleReplaces() {
		use(RuleBuilder.rule("general").limits("100/h").key("ip").paths("/**"),
				RuleBuilder.rule("special")
					.limits("100/h")
					.key("ip")
					.paths("/a/**")
					.exceptPaths("/a/b")
					.methods("GET")
					.replaces("general"));
		assertThat(names("/a/c")).containsExactly("special");
		assertThat(names("/a/b")).containsExactly("general");
		assertThat(pass(FakeRequest.of("POST", "/a/c")).decision().verdicts())
			.extracting((verdict) -> verdict.policy().name())
			.containsExactly("general");
	}

	private static RuleBuilder login() {
		return RuleBuilder.rule("login").limits("1/h").key("ip").paths("/**");
	}

	private List<String> names(String path) {
		return pass(path).decision().verdicts().stream().map((verdict) -> verdict.policy().name()).toList();
	}

	private RequestProgress pass(String path) {
		return pass(FakeRequest.get(path));
	}

	private RequestProgress pass(GateRequest request) {
		RequestProgress early = this.gate.enter(RuleScope.EARLY, request, RequestProgress.START).join();
		return (early.allowed()) ? this.gate.enter(RuleScope.LATE, request, early).join() : early;
	}

	private void use(RuleBuilder... rules) {
		use(this.gate, rules);
	}

	private void use(RequestGate gate, RuleBuilder... rules) {
		RuleSet set = RuleSet.EMPTY.next(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.engine.editions().adopt(set.rules().values());
		gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
	}

	private RequestGate gate(boolean phased) {
		return new RequestGate(this.engine,
				GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, phased));
	}

}
