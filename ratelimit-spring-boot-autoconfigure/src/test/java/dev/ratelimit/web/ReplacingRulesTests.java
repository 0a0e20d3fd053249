package dev.ratelimit.web;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.RuleBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Specific rules in place of general ones, in whichever phase either is decided.
 */
class ReplacingRulesTests {

	private final RateLimitEngine engine = new RateLimitEngine(new MemoryLimitStore(1000, () -> 60_000_000_000L),
			Duration.ofSeconds(1), "secret", IdempotencySettings.DEFAULT, List.of());

	private final RequestGate gate = new RequestGate(this.engine, Resolvers.NONE, new IdempotencyKeys(Set.of(), false),
			Exemptions.NONE, true);

	@ParameterizedTest
	@CsvSource({ "EARLY, EARLY", "EARLY, LATE", "LATE, EARLY", "LATE, LATE" })
	void aRuleReplacesAnotherAcrossPhases(Phase general, Phase special) {
		use(RuleBuilder.rule("general", "1/h").key("ip").phase(general).paths("/**"),
				RuleBuilder.rule("special", "2/h").key("ip").phase(special).paths("/special").replaces("general"));
		assertThat(names("/special")).containsExactly("special");
		assertThat(names("/other")).containsExactly("general");
		assertThat(pass("/special").allowed()).isTrue();
		assertThat(pass("/special").allowed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "SHADOW", "OFF" })
	void aRuleThatDoesNotEnforceReplacesNone(RuleMode mode) {
		use(RuleBuilder.rule("general", "1/h").key("ip").paths("/**"),
				RuleBuilder.rule("special", "2/h").key("ip").paths("/special").replaces("general").mode(mode));
		assertThat(names("/special")).contains("general");
		assertThat(pass("/special").allowed()).isFalse();
	}

	@Test
	void aRuleThatWatchesCanBeReplaced() {
		use(RuleBuilder.rule("general", "1/h").key("ip").paths("/**").mode(RuleMode.SHADOW),
				RuleBuilder.rule("special", "2/h").key("ip").paths("/special").replaces("general"));
		assertThat(names("/special")).containsExactly("special");
	}

	@Test
	void aRuleWithoutLimitReplacesToo() {
		use(RuleBuilder.rule("general", "1/h").key("ip").phase(Phase.EARLY).paths("/**"),
				RuleBuilder.rule("special", "unlimited").key("ip").phase(Phase.LATE).paths("/a").replaces("general"));
		for (int i = 0; i < 3; i++) {
			assertThat(names("/a")).containsExactly("special");
		}
		assertThat(pass("/b").allowed()).isTrue();
		assertThat(pass("/b").allowed()).isFalse();
	}

	@Test
	void methodsAndExceptPathsSayWhereARuleReplaces() {
		use(RuleBuilder.rule("general", "100/h").key("ip").paths("/**"),
				RuleBuilder.rule("special", "100/h")
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

	private List<String> names(String path) {
		return pass(path).decision().verdicts().stream().map((verdict) -> verdict.policy().name()).toList();
	}

	private Passage pass(String path) {
		return pass(FakeRequest.get(path));
	}

	private Passage pass(GateRequest request) {
		Passage early = this.gate.enter(Phase.EARLY, request, Passage.START).join();
		return (early.allowed()) ? this.gate.enter(Phase.LATE, request, early).join() : early;
	}

	private void use(RuleBuilder... rules) {
		RuleSet set = RuleSet.EMPTY.next(Arrays.stream(rules).map(RuleBuilder::build).toList());
		this.engine.use(set);
		this.gate.use(set, HandlerRules.NONE, PathPatternParser.defaultInstance);
	}

}
