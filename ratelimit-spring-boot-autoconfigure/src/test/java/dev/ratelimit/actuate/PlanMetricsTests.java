package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the meters of rules whose limits depend on the plan, and of rules without limits.
 */
class PlanMetricsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final RuleTallies tallies = new RuleTallies();

	private final RateLimitMetrics metrics = new RateLimitMetrics(this.meters, "memory", this.tallies);

	private final RateLimitEngine engine = new RateLimitEngine(new Editions(), new MemoryLimitStore(100, () -> 1000),
			StoreDeadlines.of(Duration.ofSeconds(1)), "secret", IdempotencySettings.DEFAULT,
			new DecisionObservers(List.of(), List.of(this.metrics, this.tallies)), Time.SYSTEM,
			WaitQueues.Factory.NONE);

	@BeforeEach
	void rules() {
		Editions rules = this.engine.editions();
		rules.addListener((edition) -> this.tallies.follow(edition.rules()));
		rules.addListener((edition) -> this.metrics.follow(edition.rules()));
		rules.adopt(List.of(
				RuleBuilder.rule("api")
					.limits("1/h")
					.plan("paid", "2/h")
					.plan("free", "unlimited")
					.plan("out", "0/h")
					.build(),
				RuleBuilder.rule("flat").limits("100/h").build(),
				RuleBuilder.rule("watch").limits("0/min").mode(RuleMode.SHADOW).build()));
	}

	@Test
	void planWithoutLimitAndPlanOfNothingAreCounted() {
		decide("free", 1);
		decide("free", 5);
		decide("out", 1);
		assertThat(count("api", "unlimited")).isEqualTo(2);
		assertThat(count("api", "blocked")).isEqualTo(1);
		assertThat(count("flat", "allowed")).as("with the refused one, nothing was taken").isEqualTo(2);
		assertThat(count("api", "allowed") + count("api", "rejected")).isZero();
	}

	@Test
	void numbersOfAPlanAreCountedUnderTheirRule() {
		for (int i = 0; i < 3; i++) {
			decide("paid", 1);
		}
		assertThat(count("api", "allowed")).isEqualTo(2);
		assertThat(count("api", "rejected")).isEqualTo(1);
	}

	@Test
	void looksAreNotCounted() {
		decide("free", 0);
		decide("out", 0);
		decide("paid", 0);
		assertThat(this.meters.find("ratelimit.decisions").functionCounters()).isNotEmpty()
			.allMatch((counter) -> counter.count() == 0);
	}

	@Test
	void ruleOfNothingThatOnlyWatchesIsCountedAsWatching() {
		this.engine.acquire("watch", "user:a").block();
		assertThat(count("watch", "shadow_rejected")).isEqualTo(1);
		assertThat(count("watch", "blocked")).isZero();
	}

	@Test
	void unknownPlansAreCountedWhereThereArePlans() {
		this.engine.planUnknown(this.engine.rule("api").orElseThrow());
		this.engine.planUnknown(this.engine.rule("flat").orElseThrow());
		assertThat(this.meters.get("ratelimit.plan.unknown").counters()).singleElement()
			.satisfies((counter) -> assertThat(counter.count()).isEqualTo(1))
			.satisfies((counter) -> assertThat(counter.getId().getTag("rule")).isEqualTo("api"));
	}

	@Test
	void metersOfPlansGoWithThem() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("api").limits("1/h").build()));
		assertThat(this.meters.find("ratelimit.plan.unknown").counters()).isEmpty();
	}

	private void decide(String plan, long cost) {
		CompiledRule rule = this.engine.rule("api").orElseThrow();
		List<AppliedRule> uses = List.of(
				new AppliedRule(rule, rule.limits("user:a", Optional.of(plan)), "user:a", cost),
				AppliedRule.of(this.engine.rule("flat").orElseThrow(), "user:a", cost));
		this.engine.decide(uses, Optional.empty(), 1_000_000_000).join();
	}

	private double count(String rule, String outcome) {
		return this.meters.get("ratelimit.decisions").tags("rule", rule, "outcome", outcome).functionCounter().count();
	}

}
