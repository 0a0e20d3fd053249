package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What followers of decisions are shown.
 */
class DecisionFollowerTests {

	private final List<List<AppliedRule>> shown = new ArrayList<>();

	private final List<Decision> decisions = new ArrayList<>();

	private RateLimitEngine engine(DecisionFollower... followers) {
		Editions editions = new Editions();
		editions.adopt(List.of(Rule.builder("one").limits("2/h").build(), Rule.builder("two").limits("9/h").build(),
				Rule.builder("none").limits("0/h").build()));
		return new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L), Duration.ofSeconds(1),
				"secret", IdempotencySettings.DEFAULT, new DecisionListeners(List.of(), List.of(followers)),
				Time.SYSTEM, LineSettings.NONE);
	}

	private void follow(List<AppliedRule> uses, Decision decision, long tookNanos) {
		assertThat(tookNanos).isNotNegative();
		this.shown.add(uses);
		this.decisions.add(decision);
	}

	@Test
	void rulesAndSubjectsAreShownHoweverTheDecisionIsMade() {
		RateLimitEngine engine = engine(this::follow);
		CompiledRule one = engine.rule("one").orElseThrow();
		CompiledRule two = engine.rule("two").orElseThrow();
		List<AppliedRule> both = List.of(AppliedRule.of(one, "user:1", 1), AppliedRule.of(two, "ip:192.0.2.1", 1));
		engine.decide(both, Optional.empty(), 1).join();
		Decision local = engine.acquireBlocking("one", "user:1");
		Decision denied = engine.acquireBlocking("one", "user:1");
		List<AppliedRule> none = List.of(AppliedRule.of(engine.rule("none").orElseThrow(), "user:1", 1));
		engine.decide(none, Optional.empty(), 1).join();
		assertThat(denied.allowed()).isFalse();
		assertThat(this.shown).containsExactly(both, List.of(AppliedRule.of(one, "user:1", 1)),
				List.of(AppliedRule.of(one, "user:1", 1)), none);
		assertThat(this.decisions.subList(1, 3)).containsExactly(local, denied);
	}

	@Test
	void decisionsBeforeSubjectsAreKnownAreShownWithoutThem() {
		RateLimitEngine engine = engine(this::follow);
		engine.banned();
		engine.keyMissing(engine.rule("one").orElseThrow());
		assertThat(this.shown).containsExactly(List.of(), List.of());
	}

	@Test
	void whoWantsRejectionsAloneIsShownNothingElse() {
		RateLimitEngine engine = engine(new DecisionFollower() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long tookNanos) {
				follow(uses, decision, tookNanos);
			}

			@Override
			public boolean followsAllowed() {
				return false;
			}

		});
		for (int i = 0; i < 3; i++) {
			engine.acquireBlocking("one", "user:1");
		}
		assertThat(this.decisions).singleElement().satisfies((decision) -> assertThat(decision.allowed()).isFalse());
	}

	@Test
	void timeIsReadOnlyForThoseWhoWantToKnowDurations() {
		AtomicLong time = new AtomicLong();
		Editions editions = new Editions();
		editions.adopt(List.of(Rule.builder("one").limits("2/h").build()));
		List<Long> durations = new ArrayList<>();
		DecisionFollower indifferent = new DecisionFollower() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long tookNanos) {
				durations.add(tookNanos);
			}

			@Override
			public boolean followsDurations() {
				return false;
			}

		};
		for (List<DecisionFollower> followers : List.of(List.of(indifferent), List.of(indifferent, this::follow))) {
			RateLimitEngine engine = new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L),
					Duration.ofSeconds(1), "secret", IdempotencySettings.DEFAULT,
					new DecisionListeners(List.of(), followers), time::incrementAndGet, LineSettings.NONE);
			engine.acquireBlocking("one", "user:1");
			engine.acquireBlocking("one", "user:1");
		}
		assertThat(durations.subList(0, 2)).containsOnly(0L);
		assertThat(durations.subList(2, 4)).allMatch((duration) -> duration > 0);
	}

	@Test
	void whatAFollowerThrowsHurtsNobody() {
		RateLimitEngine engine = engine((uses, decision, tookNanos) -> {
			throw new IllegalStateException("a defect");
		}, this::follow);
		assertThat(engine.acquireBlocking("one", "user:1").allowed()).isTrue();
		assertThat(this.decisions).hasSize(1);
	}

}
