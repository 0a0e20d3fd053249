package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.BanKind;
import dev.ratelimit.Decision;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimitEngineTests {

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final List<Decision> told = new ArrayList<>();

	private final RateLimitEngine engine = engine(new MemoryLimitStore(1000, this.clock::get));

	@Test
	void chargesTheRulesOwnCost() {
		use(RuleBuilder.rule("search").limits("10/min").cost("4"));
		assertThat(acquire("search", "user:a").verdicts()).extracting(Verdict::remaining).containsExactly(6L);
		assertThat(acquire("search", "user:b").verdicts()).extracting(Verdict::remaining).containsExactly(6L);
	}

	@Test
	void chargesTheCostThatIsAskedFor() {
		use(RuleBuilder.rule("search").limits("10/min").cost("4"));
		Decision decision = this.engine.acquire("search", "user:a", 7).block();
		assertThat(decision).isNotNull();
		assertThat(decision.reason()).isEqualTo(Reason.WITHIN_LIMITS);
		assertThat(decision.source()).isEqualTo(Source.LOCAL);
		assertThat(decision.verdicts()).extracting(Verdict::cost, Verdict::remaining)
			.containsExactly(Tuple.tuple(7L, 3L));
	}

	@Test
	void peekTakesNothingAndPassesAlsoWhenNothingIsLeft() {
		use(RuleBuilder.rule("search").limits("1/min"));
		assertThat(this.engine.peek("search", "user:a").block()).satisfies(RateLimitEngineTests::passes);
		acquire("search", "user:a");
		assertThat(this.engine.peek("search", "user:a").block()).satisfies(RateLimitEngineTests::passes)
			.satisfies(
					(decision) -> assertThat(decision.verdicts()).extracting(Verdict::remaining).containsExactly(0L));
	}

	// The charge of a mark would never be refunded.
	@Test
	void aMarkedClientIsMarkedEachTimeAndChargedNothing() {
		use(RuleBuilder.rule("search").limits("2/min"));
		CompiledRule marking = new Sanction(BanKind.MARK, Long.MAX_VALUE)
			.marking(this.engine.rule("search").orElseThrow());
		for (int i = 0; i < 4; i++) {
			Decision decision = this.engine
				.decide(List.of(AppliedRule.of(marking, "user:a", 1)), Optional.empty(), 1_000_000_000)
				.join();
			assertThat(decision.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.MARKED);
		}
		assertThat(this.engine.peek("search", "user:a").block().verdicts()).extracting(Verdict::remaining)
			.containsExactly(2L);
	}

	@Test
	void rejectionChargesNoLimit() {
		use(RuleBuilder.rule("reports").limits("2/s", "5/min"));
		acquire("reports", "user:a");
		acquire("reports", "user:a");
		Decision denied = acquire("reports", "user:a");
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
		assertThat(denied.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.REJECTED, Outcome.ALLOWED);
		assertThat(denied.verdicts()).extracting(Verdict::remaining).containsExactly(0L, 3L);
	}

	@Test
	void subjectsAreMadeCanonical() {
		use(RuleBuilder.rule("search").limits("1/min"));
		acquire("search", "user:{a}");
		assertThat(acquire("search", "user:%7ba%7d").allowed()).isFalse();
	}

	@Test
	void unknownRuleIsToldTheRulesThereAre() {
		use(RuleBuilder.rule("b").limits("1/min"), RuleBuilder.rule("a").limits("1/min"));
		assertThatIllegalArgumentException().isThrownBy(() -> acquire("c", "user:a"))
			.withMessage("there is no rule 'c'; the rules are [a, b]");
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.acquire("c", "user:a", 1).block());
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.reset("c", "user:a"));
	}

	@Test
	void negativeCostIsRejected() {
		use(RuleBuilder.rule("a").limits("1/min"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.acquire("a", "user:a", -1).block())
			.withMessage("'cost' (-1) must not be negative");
		assertThat(this.told).isEmpty();
	}

	@Test
	void restingRuleLetsEverythingPassUncounted() {
		use(RuleBuilder.rule("a").limits("1/h").mode(RuleMode.OFF));
		assertThat(acquire("a", "user:a")).isEqualTo(Decision.UNMATCHED);
		assertThat(acquire("a", "user:a")).isEqualTo(Decision.UNMATCHED);
	}

	@Test
	void watchingRuleNeverRejects() {
		use(RuleBuilder.rule("a").limits("1/h").mode(RuleMode.SHADOW));
		acquire("a", "user:a");
		Decision excess = acquire("a", "user:a");
		assertThat(excess.allowed()).isTrue();
		assertThat(excess.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.SHADOW_REJECTED);
		assertThat(excess.verdicts().get(0).policy().shadow()).isTrue();
	}

	@Test
	void eachSubscriptionIsOneDecisionOfWhichListenersAreToldOnce() {
		use(RuleBuilder.rule("a").limits("2/h"));
		Mono<Decision> decision = this.engine.acquire("a", "user:a");
		assertThat(this.told).isEmpty();
		assertThat(decision.block()).satisfies(RateLimitEngineTests::passes);
		assertThat(decision.block()).satisfies(RateLimitEngineTests::passes);
		assertThat(decision.block()).satisfies((third) -> assertThat(third.allowed()).isFalse());
		assertThat(this.told).extracting(Decision::allowed).containsExactly(true, true, false);
	}

	@Test
	void costAboveCapacityIsSaidToBeOfNoUse() {
		use(RuleBuilder.rule("a").limits("5/s", "10/min"));
		assertThat(this.engine.acquire("a", "user:a", 6).block()).satisfies((decision) -> {
			assertThat(decision.reason()).isEqualTo(Reason.COST_ABOVE_CAPACITY);
			assertThat(decision.verdicts()).extracting(Verdict::retryAfterMillis).containsExactly(Wait.NEVER, 0L);
		});
	}

	@Test
	void replayIsAReasonOfItsOwn() {
		use(RuleBuilder.rule("a").limits("1/h").idempotency());
		assertThat(retried("a").reason()).isEqualTo(Reason.WITHIN_LIMITS);
		Decision replay = retried("a");
		assertThat(replay.reason()).isEqualTo(Reason.REPLAYED);
		assertThat(replay.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.REPLAYED);
	}

	@ParameterizedTest
	@CsvSource({ "true, ALLOWED", "false, FAILED_CLOSED" })
	void answerWithoutAStoreIsSaidToBeOne(boolean allowed, Outcome outcome) {
		RateLimitEngine fallback = engine(new FallbackStore(allowed, outcome));
		fallback.editions().adopt(List.of(RuleBuilder.rule("a").limits("1/s").build()));
		assertThat(fallback.acquire("a", "user:a").block()).satisfies((decision) -> {
			assertThat(decision.allowed()).isEqualTo(allowed);
			assertThat(decision.reason()).isEqualTo(Reason.STORE_UNAVAILABLE);
			assertThat(decision.source()).isEqualTo(Source.FALLBACK);
		});
	}

	@Test
	void missingKeyIsADecisionToo() {
		use(RuleBuilder.rule("a").limits("1/s", "5/min"));
		Decision decision = this.engine.keyMissing(rule("a"));
		assertThat(decision.allowed()).isFalse();
		assertThat(decision.reason()).isEqualTo(Reason.KEY_MISSING);
		assertThat(decision.verdicts()).hasSize(1)
			.allSatisfy((verdict) -> assertThat(verdict.retryAfterMillis()).isEqualTo(Wait.NEVER));
		assertThat(this.told).containsExactly(decision);
	}

	@Test
	void aLimitThatChangesKeepsWhatIsUsed() {
		RateLimitEngine memory = Engines.of(new MemoryLimitStore(10, () -> 60_000_000_000L));
		memory.editions().adopt(List.of(RuleBuilder.rule("a").limits("10/min").plan("paid", "20/min").build()));
		memory.acquire("a", "user:a", 4).block();
		memory.editions().adopt(List.of(RuleBuilder.rule("a").limits("7/min").plan("paid", "30/min").build()));
		Decision decision = Objects.requireNonNull(memory.peek("a", "user:a").block());
		assertThat(decision.verdicts().get(0).remaining()).isEqualTo(3);
	}

	@Test
	void noRuleIsNoDecision() {
		assertThat(this.engine.decide(List.of(), Optional.empty(), 1).join()).isSameAs(Decision.UNMATCHED);
		assertThat(this.told).isEmpty();
	}

	@Test
	void resetStartsAllBucketsOfASubjectAfresh() {
		use(RuleBuilder.rule("a").limits("1/min", "1/h"));
		acquire("a", "user:{a}");
		this.engine.reset("a", "user:{a}").join();
		assertThat(acquire("a", "user:{a}").allowed()).isTrue();
	}

	@Test
	void aResetAfterAChangeOfTheLimitForgetsWhatWasUsedBefore() {
		use(RuleBuilder.rule("a").limits("5/d"));
		for (int i = 0; i < 5; i++) {
			acquire("a", "user:a");
		}
		use(RuleBuilder.rule("a").limits("4/d"));
		use(RuleBuilder.rule("a").limits("3/d"));
		this.engine.reset("a", "user:a").join();
		assertThat(acquire("a", "user:a").verdicts()).extracting(Verdict::remaining).containsExactly(2L);
	}

	@Test
	void policyIsNamedByItsRuleAndByTheWindowWhereThereAreSeveral() {
		use(RuleBuilder.rule("search").limits("100/min"),
				RuleBuilder.rule("reports").limits("1/s", "10/60s", "100/PT1H"));
		assertThat(policies("search")).extracting(Policy::name).containsExactly("search");
		assertThat(policies("reports")).extracting(Policy::name)
			.containsExactly("reports-1s", "reports-1min", "reports-1h");
		assertThat(policies("reports")).extracting(Policy::ruleId).containsOnly("reports");
	}

	@ParameterizedTest
	@CsvSource({ "100/min, 100, 60", "100/min, 150, 90", "100/min, 1, ", "3/s, 10, 4", "10/s, 10, 1", "10/s, 9, ",
			"1/d, 3, 259200", "7/d, 7, 86400" })
	void windowIsTheTimeThatTheCapacityTakesToFill(String limit, long burst, Long seconds) {
		use(RuleBuilder.rule("a").limits(limit).burst(burst));
		assertThat(policies("a")).extracting(Policy::capacity).containsExactly(burst);
		assertThat(policies("a")).extracting(Policy::windowSeconds)
			.containsExactly((seconds != null) ? OptionalLong.of(seconds) : OptionalLong.empty());
	}

	private RateLimitEngine engine(LimitStore store) {
		return Engines.of(store, Duration.ofSeconds(1), List.of((decision, tookNanos) -> this.told.add(decision)));
	}

	private void use(RuleBuilder... rules) {
		List<Rule> all = Arrays.stream(rules).map(RuleBuilder::build).toList();
		this.engine.editions().adopt(all);
	}

	private Decision acquire(String ruleId, String subject) {
		return this.engine.acquire(ruleId, subject).blockOptional().orElseThrow();
	}

	private Decision retried(String ruleId) {
		return this.engine
			.decide(List.of(AppliedRule.of(rule(ruleId), "user:a", 1)), Optional.of(new RetryKey("k", "POST /")),
					1_000_000)
			.join();
	}

	private CompiledRule rule(String id) {
		return this.engine.rule(id).orElseThrow();
	}

	private List<Policy> policies(String id) {
		return rule(id).families().stream().map((family) -> family.policy()).toList();
	}

	private static void passes(Decision decision) {
		assertThat(decision.allowed()).isTrue();
	}

	private record FallbackStore(boolean allowed, Outcome outcome) implements LimitStore {

		@Override
		public String name() {
			return "none";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			assertThat(demand.charges()).allMatch((charge) -> charge.failure() == FailurePolicy.OPEN);
			Policy policy = demand.charges().get(0).bucket().family().policy();
			Verdict verdict = Verdict.unmeasured(policy, this.outcome, 1, (this.allowed) ? 0 : 1000);
			return CompletableFuture
				.completedFuture(AcquireResult.of(demand, this.allowed, Source.FALLBACK, 0, List.of(verdict)));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
