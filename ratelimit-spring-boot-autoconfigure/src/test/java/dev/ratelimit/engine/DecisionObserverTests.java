package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the calls of decision listeners and observers.
 */
class DecisionObserverTests {

	private final List<List<AppliedRule>> shown = new ArrayList<>();

	private final List<Decision> decisions = new ArrayList<>();

	private RateLimitEngine engine(DecisionObserver... followers) {
		Editions editions = new Editions();
		editions.adopt(List.of(RuleBuilder.rule("one").limits("2/h").build(),
				RuleBuilder.rule("two").limits("9/h").build(), RuleBuilder.rule("none").limits("0/h").build()));
		return new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L),
				StoreDeadlines.of(Duration.ofSeconds(1)), "secret", IdempotencySettings.DEFAULT,
				new DecisionObservers(List.of(), List.of(followers)), Time.SYSTEM, WaitQueues.Factory.NONE);
	}

	private void observe(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
		assertThat(Time.SYSTEM.nanos() - startNanos).isBetween(0L, Duration.ofMinutes(1).toNanos());
		this.shown.add(uses);
		this.decisions.add(decision);
	}

	@Test
	void rulesAndSubjectsAreShownHoweverTheDecisionIsMade() {
		RateLimitEngine engine = engine(this::observe);
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
	void anObserverThatFailsLosesNoCharge() {
		RateLimitEngine engine = engine((uses, decision, startNanos, tookNanos) -> {
			throw new NoClassDefFoundError("as told");
		}, this::observe);
		assertThat(engine.acquireBlocking("one", "user:1").allowed()).isTrue();
		assertThat(this.decisions).hasSize(1);
	}

	@Test
	void decisionsBeforeSubjectsAreKnownAreShownWithoutThem() {
		RateLimitEngine engine = engine(this::observe);
		engine.denyListed();
		engine.keyMissing(engine.rule("one").orElseThrow());
		assertThat(this.shown).containsExactly(List.of(), List.of());
	}

	@Test
	void observerOfRejectionsSeesNoAllowedDecisions() {
		RateLimitEngine engine = engine(new DecisionObserver() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
				observe(uses, decision, startNanos, tookNanos);
			}

			@Override
			public boolean observesAllowed() {
				return false;
			}

		});
		for (int i = 0; i < 3; i++) {
			engine.acquireBlocking("one", "user:1");
		}
		assertThat(this.decisions).singleElement().satisfies((decision) -> assertThat(decision.allowed()).isFalse());
	}

	@Test
	void timeIsReadForInterestedObserversOnly() {
		long without = reads(List.of(), List.of());
		assertThat(reads(List.of(), List.of(indifferent()))).isEqualTo(without);
		DecisionObserver interested = (uses, decision, startNanos, tookNanos) -> assertThat(startNanos).isPositive();
		assertThat(reads(List.of(), List.of(indifferent(), interested))).as("when it was requested")
			.isEqualTo(without + 1);
		DecisionListener listener = (decision, tookNanos) -> assertThat(tookNanos).isPositive();
		assertThat(reads(List.of(listener), List.of())).as("when it was requested, and how long it took")
			.isEqualTo(without + 2);
	}

	@Test
	void timeIsNotReadForAnAllowedDecisionThatNobodyFollows() {
		DecisionObserver ofRejections = new DecisionObserver() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
				throw new AssertionError("The decision allows the request");
			}

			@Override
			public boolean observesAllowed() {
				return false;
			}

		};
		assertThat(reads(List.of(), List.of(ofRejections))).isEqualTo(reads(List.of(), List.of()));
	}

	// Return how often a decision reads the clock.
	private static long reads(List<DecisionListener> listeners, List<DecisionObserver> followers) {
		AtomicLong time = new AtomicLong();
		Editions editions = new Editions();
		editions.adopt(List.of(RuleBuilder.rule("one").limits("2/h").build()));
		new RateLimitEngine(editions, new MemoryLimitStore(1000, () -> 60_000_000_000L),
				StoreDeadlines.of(Duration.ofSeconds(1)), "secret", IdempotencySettings.DEFAULT,
				new DecisionObservers(listeners, followers), time::incrementAndGet, WaitQueues.Factory.NONE)
			.acquireBlocking("one", "user:1");
		return time.get();
	}

	private static DecisionObserver indifferent() {
		return new DecisionObserver() {

			@Override
			public void decided(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
				assertThat(uses).isNotEmpty();
			}

			@Override
			public boolean observesTime() {
				return false;
			}

		};
	}

	@Test
	void observerThatThrowsChangesNoDecision() {
		RateLimitEngine engine = engine((uses, decision, startNanos, tookNanos) -> {
			throw new IllegalStateException("a defect");
		}, this::observe);
		assertThat(engine.acquireBlocking("one", "user:1").allowed()).isTrue();
		assertThat(this.decisions).hasSize(1);
	}

}
