package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.rule.RuleBuilder;
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
		editions.adopt(List.of(RuleBuilder.rule("one").limits("2/h").build(),
				RuleBuilder.rule("two").limits("9/h").build(), RuleBuilder.rule("none").limits("0/h").build()));
		return new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L), Duration.ofSeconds(1),
				"secret", IdempotencySettings.DEFAULT, new DecisionListeners(List.of(), List.of(followers)),
				Time.SYSTEM, WaitQueues.Factory.NONE);
	}

	private void follow(List<AppliedRule> uses, Decision decision, long startNanos) {
		assertThat(Time.SYSTEM.nanos() - startNanos).isBetween(0L, Duration.ofMinutes(1).toNanos());
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
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos) {
				follow(uses, decision, startNanos);
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
	void timeIsReadForThoseWhoWantToKnowIt() {
		long without = reads(List.of(), List.of());
		assertThat(reads(List.of(), List.of(indifferent()))).isEqualTo(without);
		DecisionFollower interested = (uses, decision, startNanos) -> assertThat(startNanos).isPositive();
		assertThat(reads(List.of(), List.of(indifferent(), interested))).as("when it was requested")
			.isEqualTo(without + 1);
		DecisionListener listener = (decision, tookNanos) -> assertThat(tookNanos).isPositive();
		assertThat(reads(List.of(listener), List.of())).as("when it was requested, and how long it took")
			.isEqualTo(without + 2);
	}

	@Test
	void timeIsNotReadForAnAllowedDecisionThatNobodyFollows() {
		DecisionFollower ofRejections = new DecisionFollower() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos) {
				throw new AssertionError("The decision allows the request");
			}

			@Override
			public boolean followsAllowed() {
				return false;
			}

		};
		assertThat(reads(List.of(), List.of(ofRejections))).isEqualTo(reads(List.of(), List.of()));
	}

	// How often a decision reads the time.
	private static long reads(List<DecisionListener> listeners, List<DecisionFollower> followers) {
		AtomicLong time = new AtomicLong();
		Editions editions = new Editions();
		editions.adopt(List.of(RuleBuilder.rule("one").limits("2/h").build()));
		new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L), Duration.ofSeconds(1),
				"secret", IdempotencySettings.DEFAULT, new DecisionListeners(listeners, followers),
				time::incrementAndGet, WaitQueues.Factory.NONE)
			.acquireBlocking("one", "user:1");
		return time.get();
	}

	private static DecisionFollower indifferent() {
		return new DecisionFollower() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos) {
				assertThat(uses).isNotEmpty();
			}

			@Override
			public boolean followsTime() {
				return false;
			}

		};
	}

	@Test
	void whatAFollowerThrowsHurtsNobody() {
		RateLimitEngine engine = engine((uses, decision, startNanos) -> {
			throw new IllegalStateException("a defect");
		}, this::follow);
		assertThat(engine.acquireBlocking("one", "user:1").allowed()).isTrue();
		assertThat(this.decisions).hasSize(1);
	}

}
