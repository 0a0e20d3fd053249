package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChargedTrialTests {

	private final MemoryLimitStore store = new MemoryLimitStore(1000, () -> 0L);

	private final Editions editions = new Editions();

	private final CandidateCounts counts = new CandidateCounts();

	@Test
	void onlyWhatDiffersIsCompiledAndHasItsOwnBuckets() {
		CandidateRules rules = rules(List.of(rule("search", "5/min"), rule("login", "5/min"), rule("gone", "5/min")),
				List.of(rule("search", "2/min"), rule("login", "5/min"), rule("fresh", "5/min")));
		assertThat(rules.changed()).containsExactlyInAnyOrder("search", "gone", "fresh");
		assertThat(rules.edition().rule("login")).isEqualTo(rules.base().rule("login"));
		assertThat(rules.edition().rule("search").orElseThrow().families().get(0).scope()).isEqualTo("~c7.search");
		assertThat(this.editions.current().rule("search").orElseThrow().families().get(0).scope()).isEqualTo("search");
		assertThat(rules.fillMillis()).isEqualTo(60_000);
	}

	@Test
	void eachDifferenceIsCounted() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.REJECTED)));
		assertCounts(2, 1, 0, 0);
	}

	@Test
	void aRequestThatAnotherRuleRejectsChargesNothing() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED), verdict("login", Outcome.REJECTED)));
		assertCounts(0, 0, 0, 0);
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		assertCounts(1, 0, 0, 0);
	}

	@Test
	void fallbacksAndReplaysAreSkipped() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		compare(trial, decision(Source.FALLBACK, verdict("search", Outcome.ALLOWED)));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.REPLAYED)));
		assertCounts(0, 0, 0, 2);
	}

	@ParameterizedTest
	@EnumSource(names = { "BANNED", "PAUSED", "MARKED" })
	void requestsUnderASanctionAreSkipped(Outcome outcome) {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		compare(trial, decision(Source.REMOTE, verdict("search", outcome)));
		assertCounts(0, 0, 0, 1);
	}

	@Test
	void aStoreThatFailsIsSkipped() {
		CandidateRules rules = rules(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		Failing failing = new Failing();
		CandidateTrial trial = new ChargedTrial(rules, this.counts, failing, Duration.ofSeconds(1), Time.SYSTEM);
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		failing.throwing = true;
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		assertCounts(0, 0, 0, 2);
	}

	@Test
	void aRuleThatIsGoneWouldAllow() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of());
		trial.compare(List.of(), decision(Source.REMOTE, verdict("search", Outcome.REJECTED)), 0, (id) -> true);
		assertCounts(0, 0, 1, 0);
	}

	@Test
	void verdictsOfThePhaseBeforeAreNotCountedAgain() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of());
		Decision both = decision(Source.REMOTE, verdict("search", Outcome.ALLOWED), verdict("late", Outcome.ALLOWED));
		trial.compare(List.of(), both, 1, (id) -> true);
		assertCounts(0, 0, 0, 0);
	}

	@Test
	void countsAreDrainedOnce() {
		CandidateTrial trial = trial(List.of(rule("search", "5/min")), List.of(rule("search", "1/min")));
		compare(trial, decision(Source.REMOTE, verdict("search", Outcome.ALLOWED)));
		assertThat(this.counts.drain()).isEqualTo(Map.of("search", Map.of("same", 1L)));
		assertThat(this.counts.drain()).isEmpty();
		assertCounts(1, 0, 0, 0);
	}

	private void compare(CandidateTrial trial, Decision active) {
		trial.compare(List.of(AppliedRule.of(trial.edition().rule("search").orElseThrow(), "user:1", 1)), active, 0,
				(id) -> true);
	}

	private CandidateTrial trial(List<Rule> active, List<Rule> candidate) {
		return new ChargedTrial(rules(active, candidate), this.counts, this.store, Duration.ofSeconds(1), Time.SYSTEM);
	}

	private CandidateRules rules(List<Rule> active, List<Rule> candidate) {
		this.editions.adopt(active);
		return CandidateRules.of(this.editions.beside(RuleSet.of(7, candidate), "~c7."));
	}

	private void assertCounts(long same, long wouldReject, long wouldAllow, long skipped) {
		assertThat(List.of(CandidateDifference.values()))
			.extracting((difference) -> this.counts.count("search", difference))
			.containsExactly(same, wouldReject, wouldAllow, skipped);
	}

	private static Rule rule(String id, String limit) {
		return RuleBuilder.rule(id).limits(limit).build();
	}

	private static Decision decision(Source source, Verdict... verdicts) {
		boolean allowed = List.of(verdicts).stream().allMatch((verdict) -> verdict.outcome().passes());
		return new Decision(allowed, Reason.WITHIN_LIMITS, source, List.of(verdicts));
	}

	private static Verdict verdict(String rule, Outcome outcome) {
		Policy policy = new Policy(rule, rule, Optional.empty(), OptionalLong.empty(), Policy.Unit.REQUESTS, false);
		return Verdict.unmeasured(policy, outcome, 1, 0);
	}

	/**
	 * A store that throws an exception or returns a failed future.
	 */
	private static final class Failing implements LimitStore {

		private boolean throwing;

		@Override
		public String name() {
			return "failing";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			StoreException failure = new StoreException(StoreException.Kind.TIMEOUT, "late", null);
			if (this.throwing) {
				throw failure;
			}
			return CompletableFuture.failedFuture(failure);
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
