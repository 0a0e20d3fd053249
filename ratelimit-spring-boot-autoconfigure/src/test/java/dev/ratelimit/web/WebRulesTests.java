package dev.ratelimit.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.Phase;
import dev.ratelimit.RequestView;
import dev.ratelimit.RuleMode;
import dev.ratelimit.doctor.RequestObservations;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleModes;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WebRulesTests {

	private static final KeyResolver ANYBODY = new KeyResolver() {

		@Override
		public Optional<String> resolve(RequestView request) {
			return Optional.empty();
		}

		@Override
		public boolean needsPrincipal() {
			return false;
		}

	};

	private static final Map<String, KeyResolver> RESOLVERS = Map.of("careful", (request) -> Optional.empty(),
			"anybody", ANYBODY);

	@ParameterizedTest
	@CsvSource({ "ip, EARLY", "header:X, EARLY", "param:q, EARLY", "bean:anybody, EARLY", "caller, LATE", "user, LATE",
			"bean:careful, LATE" })
	void rulesAreDecidedEarlyUnlessTheyNeedThePrincipal(String key, Phase phase) {
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/h").key(key);
		assertThat(ready(rule, true).has(phase)).isTrue();
		assertThat(ready(rule, true).has((phase != Phase.LATE) ? Phase.LATE : Phase.EARLY)).isFalse();
		assertThat(ready(rule, false).has(Phase.LATE)).isTrue();
		assertThat(ready(rule.key("ip", key), true).has(phase)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "global, AUTO, LATE", "route, AUTO, LATE", "global, LATE, LATE", "global, EARLY, EARLY",
			"route, EARLY, EARLY" })
	void rulesThatClientsShareAreDecidedWithTheClientsOwn(String key, Phase written, Phase phase) {
		RuleBuilder rule = RuleBuilder.rule("a").limits("1/h").key(key).phase(written);
		assertThat(ready(rule, true).has(phase)).isTrue();
		assertThat(ready(rule, true).has((phase != Phase.LATE) ? Phase.LATE : Phase.EARLY)).isFalse();
		assertThat(ready(rule, false).has(Phase.LATE)).isTrue();
		assertThat(ready(rule.key("global", "route"), true).has(phase)).isTrue();
	}

	@Test
	void earlyRuleThatNeedsThePrincipalIsRejected() {
		rejection(RuleBuilder.rule("a").limits("1/h").key("user").phase(Phase.EARLY))
			.returns("ratelimit.rules.a.phase", InvalidRuleException::location)
			.returns("early", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.action()).contains("'ip'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/{", "/a/{b", "/**/{x}/**/y/{x}", "/a/{*b}/c" })
	void patternThatDoesNotParseIsRejected(String pattern) {
		rejection(RuleBuilder.rule("a").limits("1/h").paths(pattern))
			.returns("ratelimit.rules.a.paths", InvalidRuleException::location)
			.returns(pattern, InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.action()).contains("** the rest"));
		rejection(RuleBuilder.rule("a").limits("1/h").paths("/x").exceptPaths(pattern))
			.returns("ratelimit.rules.a.except-paths", InvalidRuleException::location);
	}

	@Test
	void patternWithoutALeadingSlashIsRejected() {
		rejection(RuleBuilder.rule("a").limits("1/h").paths("api/**")).returns("Use '/api/**'.",
				InvalidRuleException::action);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/x", "/x/{identity}", "/x/{ids:[a-z]+}", "/x/{*idle}" })
	void keyThatNoPathCanHaveIsRejected(String pattern) {
		rejection(RuleBuilder.rule("a").limits("1/h").key("path:id").paths("/y/{id}", pattern))
			.returns("ratelimit.rules.a.key", InvalidRuleException::location)
			.returns("path:id", InvalidRuleException::value)
			.satisfies((failure) -> assertThat(failure.reason()).contains(pattern));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/x/{id}", "/x/{id:[a-z]+}", "/x/{*id}", "/{id}/x" })
	void keyThatEveryPathHasIsAccepted(String pattern) {
		assertThat(ready(RuleBuilder.rule("a").limits("1/h").key("path:id").paths(pattern), true).byId()).hasSize(1);
	}

	// A request that both rules match would be charged twice.
	@ParameterizedTest
	@CsvSource({ "ip, caller, 'in another phase'", "param:size, form:size, 'in another decision'" })
	void rulesOfDifferentDecisionsShareNoBucket(String first, String second, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> ready(shared("a", first).paths("/a/**"), shared("b", second).paths("/a/{id}")))
			.returns("ratelimit.rules.b.bucket", InvalidRuleException::location)
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("'a' shares the bucket and is evaluated "
					+ reason + (reason.endsWith("phase") ? "" : ", because only one of the rules reads forms")
					+ ", so a request that both rules match would be charged twice"));
	}

	@Test
	void rulesThatNoRequestMatchesBothShareABucket() {
		ready(shared("a", "ip").paths("/a/**"), shared("b", "caller").paths("/b/**"));
		ready(shared("a", "ip").paths("/a").methods("GET"), shared("b", "caller").paths("/a").methods("POST"));
		ready(shared("a", "ip").paths("/a"), shared("b", "caller"));
	}

	private static RuleBuilder shared(String id, String key) {
		return RuleBuilder.rule(id).limits("1/h").key(key).bucket("shared");
	}

	private static void ready(RuleBuilder first, RuleBuilder second) {
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(10, () -> 0));
		List<CompiledRule> rules = Stream.of(first, second).map(RuleBuilder::build).map((rule) -> {
			engine.editions().adopt(List.of(rule));
			return engine.rule(rule.id()).orElseThrow();
		}).toList();
		WebRules.of(rules, compiler(true), WebRules.EMPTY);
	}

	@Test
	void mostSpecificPatternGivesTheRoute() {
		WebRule rule = ready(RuleBuilder.rule("a").limits("1/h").paths("/**", "/a/{x}", "/a/b"), false).byId().get("a");
		assertThat(rule.paths()).extracting(Object::toString).containsExactly("/a/b", "/a/{x}", "/**");
	}

	@Test
	void ruleWithoutPathsAppliesOnlyWhereItIsNamed() {
		WebRules rules = ready(RuleBuilder.rule("a").limits("1/h"), false);
		assertThat(rules.hasPaths()).isFalse();
		assertThat(rules.byId()).containsOnlyKeys("a");
	}

	@ParameterizedTest
	@EnumSource(RuleMode.class)
	void anotherModeParsesNoPatternAgain(RuleMode mode) {
		RateLimitEngine engine = engine(RuleBuilder.rule("a").limits("1/h").paths("/a/**"));
		WebRules before = ready(engine, true, WebRules.EMPTY);
		engine.editions().adopt((RuleModes) (rule) -> mode);
		WebRules during = ready(engine, true, before);
		assertThat(during.byId().containsKey("a")).isEqualTo(mode != RuleMode.OFF);
		engine.editions().adopt(RuleModes.WRITTEN);
		WebRule after = ready(engine, true, during).byId().get("a");
		assertThat(after.paths()).isSameAs(before.byId().get("a").paths());
		assertThat(after.rule().watch()).isSameAs(before.byId().get("a").rule().watch());
		assertThat(after.compiled()).isSameAs(engine.rule("a").orElseThrow());
	}

	private static WebRules ready(RuleBuilder rule, boolean phased) {
		return ready(engine(rule), phased, WebRules.EMPTY);
	}

	private static RateLimitEngine engine(RuleBuilder rule) {
		RateLimitEngine engine = Engines.of(new MemoryLimitStore(10, () -> 0));
		engine.editions().adopt(List.of(rule.build()));
		return engine;
	}

	private static WebRules ready(RateLimitEngine engine, boolean phased, WebRules before) {
		return WebRules.of(List.of(engine.rule("a").orElseThrow()), compiler(phased), before);
	}

	private static WebRuleCompiler compiler(boolean phased) {
		return WebRuleCompiler.of(
				new GateSettings(new Resolvers(RESOLVERS, Map.of(), Optional.empty()), Callers.EQUAL,
						new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, phased,
						new RequestObservations(Instant::now, (request) -> true), PartitionKeys.NONE),
				PathPatternParser.defaultInstance);
	}

	private static ObjectAssert<InvalidRuleException> rejection(RuleBuilder rule) {
		return assertThatThrownBy(() -> ready(rule, true))
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidRuleException.class));
	}

}
