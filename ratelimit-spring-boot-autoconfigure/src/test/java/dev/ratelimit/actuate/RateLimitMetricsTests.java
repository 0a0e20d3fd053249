package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.BanKind;
import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStoreMetrics;
import dev.ratelimit.store.memory.MemoryStores;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitMetricsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final Editions rules = new Editions();

	private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 1000);

	private final RuleTallies tallies = new RuleTallies();

	private final RateLimitMetrics metrics = new RateLimitMetrics(this.meters, "memory", this.tallies);

	private final RateLimitEngine engine = engine();

	private RateLimitEngine engine() {
		this.rules.addListener((edition) -> this.tallies.follow(edition.rules()));
		this.rules.addListener((edition) -> this.metrics.follow(edition.rules()));
		return new RateLimitEngine(this.rules, this.store, StoreDeadlines.of(Duration.ofSeconds(1)), "secret",
				IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of(this.metrics, this.tallies)),
				Time.SYSTEM, WaitQueues.Factory.NONE);
	}

	@BeforeEach
	void rules() {
		this.rules.adopt(List.of(rule("one", RuleMode.ENFORCE, "2/min"),
				rule("several", RuleMode.ENFORCE, "5/s", "3/min", "100/h"), rule("watch", RuleMode.SHADOW, "1/min")));
	}

	@Test
	void requestsAreCountedByOutcome() {
		for (int i = 0; i < 3; i++) {
			this.engine.acquire("one", "user:a").block();
		}
		assertThat(count("one", "allowed")).isEqualTo(2);
		assertThat(count("one", "rejected")).isEqualTo(1);
	}

	@Test
	void ruleWithSeveralLimitsCountsOncePerRequest() {
		for (int i = 0; i < 5; i++) {
			this.engine.acquire("several", "user:a").block();
		}
		assertThat(count("several", "allowed")).isEqualTo(3);
		assertThat(count("several", "rejected")).isEqualTo(2);
	}

	// An instance that knows a limit to be exhausted does not evaluate the others.
	@Test
	void aRejectionBehindASkippedLimitIsCounted() {
		for (int i = 0; i < 4; i++) {
			this.engine.acquire("several", "user:a").block();
		}
		Decision rejected = this.engine.acquire("several", "user:a").block();
		List<Verdict> verdicts = rejected.verdicts()
			.stream()
			.map((verdict) -> (verdict.outcome() == Outcome.REJECTED) ? verdict
					: Verdict.unmeasured(verdict.policy(), Outcome.SKIPPED, 1, 0))
			.toList();
		assertThat(verdicts.get(0).outcome()).isEqualTo(Outcome.SKIPPED);
		double before = count("several", "rejected");
		this.tallies.decided(List.of(), new Decision(false, Reason.LIMIT_EXCEEDED, Source.LOCAL, verdicts), 0, 1);
		assertThat(count("several", "rejected")).isEqualTo(before + 1);
	}

	@Test
	void requestsOfMarkedClientsAreCounted() {
		CompiledRule marking = new Sanction(BanKind.MARK, Long.MAX_VALUE)
			.marking(this.engine.rule("several").orElseThrow());
		for (int i = 0; i < 4; i++) {
			this.engine.decide(List.of(AppliedRule.of(marking, "user:a", 1)), Optional.empty(), 1_000_000_000).join();
		}
		assertThat(count("several", "marked")).isEqualTo(4);
		assertThat(count("several", "allowed")).isZero();
	}

	@Test
	void callsThatCostNothingAreNotCounted() {
		this.engine.acquire("several", "user:a", 0).block();
		assertThat(count("several", "allowed")).isZero();
	}

	@Test
	void requestUnderTwoRulesCountsOnceForEach() {
		List<AppliedRule> uses = List.of(AppliedRule.of(this.engine.rule("one").orElseThrow(), "user:a", 1),
				AppliedRule.of(this.engine.rule("several").orElseThrow(), "user:a", 1));
		this.engine.decide(uses, Optional.empty(), 1_000_000_000).join();
		assertThat(count("one", "allowed")).isEqualTo(1);
		assertThat(count("several", "allowed")).isEqualTo(1);
	}

	@Test
	void excessOfARuleThatOnlyWatchesIsCountedApart() {
		this.engine.acquire("watch", "user:a").block();
		this.engine.acquire("watch", "user:a").block();
		assertThat(count("watch", "allowed")).isEqualTo(1);
		assertThat(count("watch", "shadow_rejected")).isEqualTo(1);
		assertThat(count("watch", "rejected")).isZero();
	}

	@Test
	void bypassedAndDenyListedRequestsAreCountedSeparately() {
		CompiledRule one = this.engine.rule("one").orElseThrow();
		this.engine.decide(List.of(AppliedRule.bypassed(one)), Optional.empty(), 1_000_000_000).join();
		this.engine.decide(List.of(AppliedRule.denied(one)), Optional.empty(), 1_000_000_000).join();
		this.engine.decide(List.of(AppliedRule.denied(this.engine.rule("watch").orElseThrow())), Optional.empty(), 1)
			.join();
		this.engine.denyListed();
		assertThat(count("one", "bypassed")).isEqualTo(1);
		assertThat(count("one", "deny_listed")).isEqualTo(1);
		assertThat(count("one", "allowed")).isZero();
		assertThat(count("watch", "shadow_rejected")).isEqualTo(1);
		assertThat(this.meters.get("ratelimit.decisions")
			.tags("rule", "*", "outcome", "deny_listed")
			.functionCounter()
			.count()).isEqualTo(1);
	}

	@Test
	void requestsAllowedByFailurePolicyAreCountedSeparately() {
		Decision allowed = this.engine.acquire("one", "user:a").block();
		assertThat(allowed).isNotNull();
		this.tallies.decided(List.of(),
				new Decision(true, Reason.STORE_UNAVAILABLE, Source.FALLBACK, allowed.verdicts()), 0, 1);
		assertThat(count("one", "allowed")).isEqualTo(1);
		assertThat(count("one", "failed_open")).isEqualTo(1);
	}

	@Test
	void decisionsAreTimed() {
		this.engine.acquire("one", "user:a").block();
		assertThat(this.meters.get("ratelimit.decision")
			.tags("store", "memory", "path", "local", "outcome", "allowed")
			.timer()
			.count()).isEqualTo(1);
		assertThat(this.meters.get("ratelimit.decision")
			.tags("store", "memory", "path", "local", "outcome", "rejected")
			.timer()
			.count()).isZero();
	}

	@Test
	void everyMeterHasOneSetOfTagKeys() {
		new MemoryStoreMetrics(new MemoryStores(List.of(this.store))).bindTo(this.meters);
		assertThat(keys("ratelimit.decisions")).containsExactly(Set.of("rule", "algorithm", "outcome"));
		assertThat(keys("ratelimit.decision")).containsExactly(Set.of("store", "path", "outcome"));
		assertThat(keys("ratelimit.local.entries")).containsExactly(Set.of());
		assertThat(keys("ratelimit.local.evictions")).containsExactly(Set.of());
	}

	@Test
	void noMeterTagContainsASubject() {
		this.engine.acquire("one", "user:alice-in-chains").block();
		assertThat(this.meters.getMeters()).isNotEmpty()
			.flatExtracting((meter) -> meter.getId().getTags())
			.extracting(Tag::getValue)
			.noneMatch((value) -> value.contains("alice"));
	}

	@Test
	void bucketsInMemoryAreShown() {
		new MemoryStoreMetrics(new MemoryStores(List.of(this.store))).bindTo(this.meters);
		this.engine.acquire("one", "user:a").block();
		this.engine.acquire("one", "user:b").block();
		assertThat(this.meters.get("ratelimit.local.entries").gauge().value()).isEqualTo(2);
		assertThat(this.meters.get("ratelimit.local.evictions").functionCounter().count()).isZero();
	}

	@Test
	void ruleThatComesIntoForceLaterIsCounted() {
		this.rules.adopt(List.of(rule("new", RuleMode.ENFORCE, "1/s")));
		this.engine.acquire("new", "user:a").block();
		assertThat(count("new", "allowed")).isEqualTo(1);
	}

	@Test
	void ruleThatChangesKeepsItsCounts() {
		this.engine.acquire("one", "user:a").block();
		this.rules.adopt(List.of(rule("one", RuleMode.ENFORCE, "9/min")));
		this.engine.acquire("one", "user:a").block();
		assertThat(count("one", "allowed")).isEqualTo(2);
	}

	@Test
	void metersOfARemovedRuleAreRemovedAndBeginAnewWithIt() {
		this.engine.acquire("one", "user:a").block();
		this.rules.adopt(List.of(rule("watch", RuleMode.SHADOW, "1/min")));
		assertThat(rulesShown()).containsExactlyInAnyOrder("watch", "*");
		this.rules.adopt(List.of(rule("one", RuleMode.ENFORCE, "2/min")));
		this.engine.acquire("one", "user:b").block();
		assertThat(rulesShown()).containsExactlyInAnyOrder("one", "*");
		assertThat(count("one", "allowed")).isEqualTo(1);
	}

	@Test
	void anotherAlgorithmHasMetersOfItsOwn() {
		this.engine.acquire("one", "user:a").block();
		this.rules.adopt(List.of(RuleBuilder.rule("one").limits("2/min").algorithm("gcra").build()));
		this.engine.acquire("one", "user:a").block();
		assertThat(this.meters.get("ratelimit.decisions").tags("rule", "one", "outcome", "allowed").functionCounters())
			.singleElement()
			.satisfies((counter) -> assertThat(counter.getId().getTag("algorithm")).isEqualTo("gcra"))
			.satisfies((counter) -> assertThat(counter.count()).isEqualTo(1));
	}

	private Set<String> rulesShown() {
		return this.meters.get("ratelimit.decisions")
			.functionCounters()
			.stream()
			.map((counter) -> String.valueOf(counter.getId().getTag("rule")))
			.collect(Collectors.toSet());
	}

	private double count(String rule, String outcome) {
		FunctionCounter counter = this.meters.get("ratelimit.decisions")
			.tags("rule", rule, "outcome", outcome)
			.functionCounter();
		assertThat(counter.getId().getTag("algorithm")).isEqualTo("token-bucket");
		return counter.count();
	}

	private List<Set<String>> keys(String name) {
		List<Meter> found = this.meters.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().equals(name))
			.toList();
		return found.stream()
			.map((meter) -> (Set<String>) meter.getId()
				.getTags()
				.stream()
				.map(Tag::getKey)
				.collect(Collectors.toCollection(TreeSet::new)))
			.distinct()
			.toList();
	}

	static Rule rule(String id, RuleMode mode, String... limits) {
		return RuleBuilder.rule(id).limits(limits).mode(mode).build();
	}

}
