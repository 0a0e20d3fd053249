package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which decisions are made synchronously, and that their results equal those of
 * other decisions.
 */
class LocalDecisionsTests {

	private final List<Decision> told = new ArrayList<>();

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L),
			Duration.ofSeconds(1), List.of((decision, tookNanos) -> this.told.add(decision)));

	@BeforeEach
	void rules() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("one").limits("3/h").build(),
					RuleBuilder.rule("two").limits("3/h", "9/d").build(),
					RuleBuilder.rule("watched").limits("3/h").mode(RuleMode.SHADOW).build(),
					RuleBuilder.rule("off").limits("3/h").mode(RuleMode.OFF).build(),
					RuleBuilder.rule("jobs").limits("3").algorithm("concurrency").build(),
					RuleBuilder.rule("retried").limits("3/h").idempotency().build()));
	}

	private Decision tryAcquire(String rule) {
		Decision decision = this.engine.acquireBlocking(rule, "ann");
		assertThat(this.told).last().isSameAs(decision);
		return decision;
	}

	private static boolean local(Decision decision) {
		return decision.reservation() instanceof LocalCharge;
	}

	@Test
	void oneLimitIsDecidedOnTheSpot() {
		assertThat(local(tryAcquire("one"))).as("it is not known yet").isFalse();
		Decision decision = tryAcquire("one");
		assertThat(local(decision)).isTrue();
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(decision.source()).isEqualTo(Source.LOCAL);
		assertThat(decision.verdicts()).singleElement().satisfies((verdict) -> {
			assertThat(verdict.outcome()).isEqualTo(Outcome.ALLOWED);
			assertThat(verdict.remaining()).isEqualTo(1);
		});
		assertThat(tryAcquire("one").allowed()).isTrue();
		assertThat(tryAcquire("one").reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
		assertThat(this.told).hasSize(4);
	}

	@Test
	void usesOfRulesAreDecidedOnTheSpotUnlessTheyAreRetries() {
		CompiledRule rule = this.engine.rule("retried").orElseThrow();
		List<AppliedRule> uses = List.of(AppliedRule.of(rule, "ann", 1));
		tryAcquire("retried");
		assertThat(local(this.engine.decide(uses, Optional.empty(), 1).join())).isTrue();
		assertThat(this.told).hasSize(2);
		assertThat(local(this.engine.decide(uses, Optional.of(new RetryKey("ann", "id")), 1).join())).isFalse();
	}

	@Test
	void anythingElseIsDecidedByDemands() {
		for (String rule : List.of("two", "watched", "jobs")) {
			tryAcquire(rule);
			assertThat(local(tryAcquire(rule))).as(rule).isFalse();
		}
		assertThat(this.engine.acquireBlocking("off", "ann")).isEqualTo(Decision.UNMATCHED);
		tryAcquire("one");
		assertThat(this.engine.acquireBlocking("one", "ann", 0).verdicts().get(0).remaining()).isEqualTo(2);
	}

}
