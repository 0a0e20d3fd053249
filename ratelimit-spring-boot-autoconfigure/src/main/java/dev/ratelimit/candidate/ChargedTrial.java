package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.Charges;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.StaticVerdicts;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: compares decisions of the active rules with those that a candidate would
 * make. The charges of the candidate follow the active decision, and do not delay it.
 * Failed comparisons are counted as skipped. Thread-safe.
 */
public final class ChargedTrial implements CandidateTrial {

	private static final Log logger = LogFactory.getLog(ChargedTrial.class);

	private final CandidateRules rules;

	private final CandidateCounts counts;

	private final LimitStore store;

	private final long deadlineNanos;

	private final Time time;

	/**
	 * Create a trial.
	 * @param rules the rules of the candidate, and the active rules
	 * @param counts the counts of differences
	 * @param store charges the candidate's buckets; may fail at any time
	 * @param deadline the maximum time of a charge
	 * @param time the clock of the store
	 */
	public ChargedTrial(CandidateRules rules, CandidateCounts counts, LimitStore store, Duration deadline, Time time) {
		this.rules = rules;
		this.counts = counts;
		this.store = store;
		this.deadlineNanos = deadline.toNanos();
		this.time = time;
	}

	@Override
	public Edition base() {
		return this.rules.base();
	}

	@Override
	public Edition edition() {
		return this.rules.edition();
	}

	@Override
	public boolean changes(String ruleId) {
		return this.rules.changed().contains(ruleId);
	}

	@Override
	public void compare(List<AppliedRule> expected, Decision active, int from, Predicate<String> comparable) {
		CandidateComparison comparison = new CandidateComparison(this.rules, expected, active, from, comparable);
		if (comparison.concernsNothing()) {
			return;
		}
		if (!comparison.isComparable()) {
			comparison.skip(this.counts);
			return;
		}
		try {
			decide(comparison);
		}
		catch (RuntimeException ex) {
			failed(ex);
			comparison.skip(this.counts);
		}
	}

	private void decide(CandidateComparison comparison) {
		List<AppliedRule> applied = comparison.charged();
		List<Charge> charges = Charges.of(applied);
		List<Verdict> staticVerdicts = StaticVerdicts.verdicts(applied);
		if (charges.isEmpty() || StaticVerdicts.reject(staticVerdicts)) {
			comparison.count(staticVerdicts, this.counts);
			return;
		}
		this.store.acquire(new AcquireRequest(charges, Optional.empty(), this.time.nanos() + this.deadlineNanos))
			.whenComplete((result, failure) -> {
				if (failure != null) {
					comparison.skip(this.counts);
				}
				else {
					comparison.count(StaticVerdicts.join(result.verdicts(), staticVerdicts), this.counts);
				}
			});
	}

	@Override
	public void failed(RuntimeException failure) {
		logger.debug("Failed to compare a request with the candidate", failure);
	}

	/**
	 * The comparison of one request under the active rules and under the changed rules of
	 * a candidate.
	 */
	private static final class CandidateComparison {

		/**
		 * Outcomes that do not depend on the limits: the candidate would have them, too.
		 */
		private static final Set<Outcome> INDEPENDENT = EnumSet.of(Outcome.REPLAYED, Outcome.FAILED_OPEN,
				Outcome.BANNED, Outcome.PAUSED, Outcome.MARKED);

		private final List<Verdict> active;

		private final List<AppliedRule> charged = new ArrayList<>(2);

		private final List<String> compared = new ArrayList<>(2);

		private final List<String> skipped = new ArrayList<>(0);

		private final boolean comparable;

		CandidateComparison(CandidateRules rules, List<AppliedRule> expected, Decision decision, int from,
				Predicate<String> possible) {
			List<Verdict> verdicts = decision.verdicts();
			this.active = verdicts.subList(Math.min(from, verdicts.size()), verdicts.size());
			this.comparable = decision.source() != Source.FALLBACK
					&& this.active.stream().noneMatch((verdict) -> INDEPENDENT.contains(verdict.outcome()));
			if (isRejectedByOthers(rules)) {
				return;
			}
			for (Verdict verdict : this.active) {
				if (verdict.cost() > 0) {
					concern(rules, verdict.policy().ruleId(), possible);
				}
			}
			for (AppliedRule rule : expected) {
				String id = rule.rule().rule().id();
				if (rule.cost() > 0 && concern(rules, id, possible)) {
					this.charged.add(rule);
				}
			}
		}

		// If an unchanged rule rejects the request, the candidate also rejects it, and
		// does not charge it.
		private boolean isRejectedByOthers(CandidateRules rules) {
			for (Verdict verdict : this.active) {
				if (!verdict.outcome().passes() && !rules.changed().contains(verdict.policy().ruleId())) {
					return true;
				}
			}
			return false;
		}

		private boolean concern(CandidateRules rules, String id, Predicate<String> possible) {
			if (!rules.changed().contains(id)) {
				return false;
			}
			boolean can = rules.comparable().contains(id) && possible.test(id);
			List<String> ids = (can) ? this.compared : this.skipped;
			if (!ids.contains(id)) {
				ids.add(id);
			}
			return can;
		}

		boolean concernsNothing() {
			return this.compared.isEmpty() && this.skipped.isEmpty();
		}

		// Whether the store decided all verdicts by the limits.
		boolean isComparable() {
			return this.comparable;
		}

		List<AppliedRule> charged() {
			return this.charged;
		}

		void skip(CandidateCounts counts) {
			this.compared.forEach((id) -> counts.add(id, CandidateDifference.SKIPPED));
			this.skipped.forEach((id) -> counts.add(id, CandidateDifference.SKIPPED));
		}

		void count(List<Verdict> candidate, CandidateCounts counts) {
			this.compared.forEach(
					(id) -> counts.add(id, CandidateDifference.of(denies(this.active, id), denies(candidate, id))));
			this.skipped.forEach((id) -> counts.add(id, CandidateDifference.SKIPPED));
		}

		private static boolean denies(List<Verdict> verdicts, String id) {
			for (int i = 0; i < verdicts.size(); i++) {
				Verdict verdict = verdicts.get(i);
				if (!verdict.outcome().passes() && verdict.policy().ruleId().equals(id)) {
					return true;
				}
			}
			return false;
		}

	}

}
