package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests rule changes during requests: in both phases, each request gets the rules of one
 * edition.
 */
class EditionSwapTests {

	private static final List<Rule> ONE = List.of(rule("first", Phase.EARLY, RuleMode.ENFORCE),
			rule("second", Phase.LATE, RuleMode.SHADOW));

	private static final List<Rule> OTHER = List.of(rule("first", Phase.LATE, RuleMode.SHADOW),
			rule("second", Phase.EARLY, RuleMode.ENFORCE));

	private static final List<Rule> LATE_ONLY = List.of(rule("first", Phase.LATE, RuleMode.ENFORCE),
			rule("second", Phase.LATE, RuleMode.ENFORCE));

	private static final List<Rule> EARLY_ONLY = List.of(rule("first", Phase.EARLY, RuleMode.ENFORCE),
			rule("second", Phase.EARLY, RuleMode.ENFORCE));

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 1000));

	private final RequestGate gate = new RequestGate(this.engine,
			GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, true));

	private final ExecutorService threads = Executors.newFixedThreadPool(4);

	@BeforeEach
	void bind() {
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
	}

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	@Test
	void aRequestKeepsItsEditionThroughBothPhases() {
		for (List<List<Rule>> swap : List.of(List.of(ONE, OTHER), List.of(LATE_ONLY, EARLY_ONLY),
				List.of(EARLY_ONLY, LATE_ONLY))) {
			this.engine.editions().adopt(swap.get(0));
			RequestProgress early = early();
			this.engine.editions().adopt(swap.get(1));
			assertThat(met(late(early))).containsExactlyInAnyOrderElementsOf(expected(swap.get(0)));
		}
	}

	@Test
	void noRequestUnderLoadSeesTwoEditions() throws Exception {
		this.engine.editions().adopt(ONE);
		Set<Set<String>> known = List.of(ONE, OTHER, LATE_ONLY, EARLY_ONLY)
			.stream()
			.map(EditionSwapTests::expected)
			.collect(Collectors.toSet());
		AtomicBoolean swapping = new AtomicBoolean(true);
		CountDownLatch busy = new CountDownLatch(4);
		List<Future<Set<Set<String>>>> callers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			callers.add(this.threads.submit(() -> call(swapping, busy)));
		}
		int swaps = 0;
		long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
		while (System.nanoTime() - endNanos < 0 || swaps <= 10
				|| (busy.getCount() > 0 && callers.stream().noneMatch(Future::isDone))) {
			this.engine.editions().adopt(List.of(OTHER, LATE_ONLY, EARLY_ONLY, ONE).get(swaps++ % 4));
		}
		swapping.set(false);
		for (Future<Set<Set<String>>> caller : callers) {
			assertThat(known).containsAll(caller.get());
		}
	}

	private Set<Set<String>> call(AtomicBoolean swapping, CountDownLatch busy) {
		List<Set<String>> met = new ArrayList<>();
		while (swapping.get()) {
			met.add(met(late(early())));
			if (met.size() == 11) {
				busy.countDown();
			}
		}
		return Set.copyOf(met);
	}

	@Test
	void aPatternThatDoesNotParseLeavesEngineAndGateOnTheRulesBefore() {
		this.engine.editions().adopt(ONE);
		Edition before = this.engine.editions().current();
		Rule broken = RuleBuilder.rule("first").limits("1/h").paths("/{broken").build();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> this.engine.editions().adopt(List.of(broken)))
			.withMessageContaining("/{broken");
		assertThat(this.engine.editions().current()).isSameAs(before);
		assertThat(met(late(early()))).containsExactlyInAnyOrderElementsOf(expected(ONE));
	}

	@Test
	void unchangedRulesAreNotCompiledAgain() {
		this.engine.editions().adopt(ONE);
		WebRule before = webRule("first");
		this.engine.editions().adopt(List.of(ONE.get(0), OTHER.get(1)));
		assertThat(webRule("first")).isSameAs(before);
	}

	private WebRule webRule(String id) {
		return Optional.ofNullable(this.gate.rules(this.engine.editions().current()).rules().byId().get(id))
			.orElseThrow();
	}

	private RequestProgress early() {
		return this.gate.enter(RuleScope.EARLY, FakeRequest.get("/"), RequestProgress.START).join();
	}

	private RequestProgress late(RequestProgress early) {
		return this.gate.enter(RuleScope.LATE, FakeRequest.get("/"), early).join();
	}

	private static Set<String> met(RequestProgress progress) {
		return progress.decision().verdicts().stream().map(EditionSwapTests::text).collect(Collectors.toSet());
	}

	private static String text(Verdict verdict) {
		return verdict.policy().ruleId() + " " + verdict.policy().shadow() + " " + verdict.policy().capacity();
	}

	private static Set<String> expected(List<Rule> rules) {
		return rules.stream()
			.map((rule) -> rule.id() + " " + (rule.reaction().mode() == RuleMode.SHADOW) + " "
					+ rule.limits().get(0).quantity())
			.collect(Collectors.toSet());
	}

	// Each combination of phase and mode has a unique limit, which identifies it.
	private static Rule rule(String id, Phase phase, RuleMode mode) {
		int quantity = 1_000_000_000 + ((phase == Phase.EARLY) ? 1 : 0) + ((mode == RuleMode.SHADOW) ? 2 : 0);
		return RuleBuilder.rule(id).limits(quantity + "/d").key("ip").phase(phase).mode(mode).paths("/**").build();
	}

}
