package dev.ratelimit.candidate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;

/**
 * One request under the active rules and under a candidate's, as far as these differ.
 */
final class CandidateComparison {

	private final List<Verdict> active;

	private final List<AppliedRule> charged = new ArrayList<>(2);

	private final List<String> compared = new ArrayList<>(2);

	private final List<String> skipped = new ArrayList<>(0);

	private final boolean comparable;

	CandidateComparison(CandidateRules rules, List<AppliedRule> expected, Decision decision, int from,
			Predicate<String> possible) {
		List<Verdict> verdicts = decision.verdicts();
		this.active = verdicts.subList(Math.min(from, verdicts.size()), verdicts.size());
		this.comparable = decision.source() != Source.FALLBACK && this.active.stream()
			.noneMatch((verdict) -> verdict.outcome() == Outcome.REPLAYED || verdict.outcome() == Outcome.FAILED_OPEN);
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

	// Both reject it then, and it charges nothing.
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

	// Whether the store itself decided on all of it.
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
		this.compared
			.forEach((id) -> counts.add(id, CandidateDifference.of(denies(this.active, id), denies(candidate, id))));
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
