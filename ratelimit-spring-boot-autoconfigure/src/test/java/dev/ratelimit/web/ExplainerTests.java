package dev.ratelimit.web;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.doctor.RequestObservations;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.Exemption;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.Waiting;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class ExplainerTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 60_000_000_000L));

	private final RequestObservations observations = new RequestObservations(Instant::now, (request) -> true);

	private boolean failed;

	private final RequestGate gate = new RequestGate(this.engine,
			new GateSettings(new Resolvers(Map.of("once", (request) -> failOnce()), Map.of(), Optional.empty()),
					Callers.EQUAL, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false, this.observations,
					PartitionKeys.NONE));

	private CompletableFuture<Optional<HandlerKey>> answer = CompletableFuture.completedFuture(Optional.empty());

	private final Explainer explainer = new Explainer(this.gate, this.engine, (request) -> this.answer);

	@BeforeEach
	void rules() throws NoSuchMethodException {
		Method method = ExplainerTests.class.getDeclaredMethod("rules");
		HandlerKey handler = new HandlerKey(ExplainerTests.class, method);
		PathPatternParser parser = PathPatternParser.defaultInstance;
		List<HandlerRoute> routes = List.of(new HandlerRoute(handler, parser.parse("/exempt"), Set.of(), true),
				new HandlerRoute(handler, parser.parse("/asked"), Set.of(), false));
		KeyPart once = KeyPart.parse("bean:once");
		RuleSet set = RuleSet.EMPTY.next(List.of(RuleBuilder.rule("all").limits("1/h").key("ip").paths("/**").build(),
				RuleBuilder.rule("waits")
					.limits("1/h")
					.key("global")
					.paths("/fair")
					.with(RuleOptions.WAIT, new Waiting(Duration.ofSeconds(1), 1, Optional.of(once)))
					.build()));
		this.engine.editions().adopt(set.rules().values());
		this.gate.bind(new HandlerRules(new HandlerIndex(routes, handler::equals, ""), Map.of(),
				Map.of(handler, new Exemption(true, Set.of()))), parser);
	}

	@Test
	void ruleThatAHandlerIsExemptFromSaysSo() {
		assertThat(rule(explain("/exempt"), "all")).returns(false, RuleExplanation::applies)
			.returns("the handler is exempt from the rule", RuleExplanation::reason);
		assertThat(rule(explain("/other"), "all")).returns(true, RuleExplanation::applies);
	}

	@Test
	void handlersThatCannotBeAskedAreSaidToBeLeftOut() {
		this.answer = CompletableFuture.failedFuture(new IllegalStateException("no"));
		assertThat(explain("/asked").note()).isPresent();
		assertThat(rule(explain("/asked"), "all")).returns(true, RuleExplanation::applies);
		assertThat(explain("/exempt").note()).isEmpty();
	}

	@Test
	void codeOfTheApplicationThatFailsLeavesOnlyItsOwnRuleUnexplained() {
		Explanation explanation = explain("/fair");
		assertThat(this.failed).isTrue();
		assertThat(explanation.note()).isEmpty();
		assertThat(rule(explanation, "all").use()).isPresent();
		assertThat(rule(explanation, "waits")).returns(Optional.empty(), RuleExplanation::use)
			.satisfies((rule) -> assertThat(rule.reason()).contains("could not be resolved", "IllegalStateException"));
	}

	@Test
	void nothingIsChargedHoweverOftenOneAsks() {
		for (int i = 0; i < 3; i++) {
			assertThat(explain("/other").outcome()).isEqualTo("allowed");
		}
		assertThat(this.observations.rules()).isNotEmpty().noneMatch(RuleObservations::matched);
	}

	private Optional<String> failOnce() {
		if (!this.failed) {
			this.failed = true;
			throw new IllegalStateException("on purpose");
		}
		return Optional.of("a");
	}

	private static RuleExplanation rule(Explanation explanation, String id) {
		return explanation.rules().stream().filter((one) -> one.rule().id().equals(id)).findFirst().orElseThrow();
	}

	private Explanation explain(String path) {
		return this.explainer
			.explain(new ExplainRequest("GET", path, Map.of(), "192.0.2.1", Optional.empty(), Optional.empty()))
			.join();
	}

}
