package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.rule.Quota;

/**
 * Verdicts that need no store: of rules that let a caller pass without limit, or not at
 * all.
 */
final class Unasked {

	private Unasked() {
	}

	static List<Verdict> verdicts(List<RuleUse> uses) {
		List<Verdict> verdicts = List.of();
		for (RuleUse use : uses) {
			if (use.tier().kind() != Quota.Kind.LIMITED) {
				verdicts = join(verdicts, List.of(verdict(use)));
			}
		}
		return verdicts;
	}

	static boolean refuse(List<Verdict> verdicts) {
		for (Verdict verdict : verdicts) {
			if (!verdict.outcome().passes() && verdict.cost() > 0) {
				return true;
			}
		}
		return false;
	}

	static List<Verdict> join(List<Verdict> first, List<Verdict> second) {
		if (first.isEmpty() || second.isEmpty()) {
			return (first.isEmpty()) ? second : first;
		}
		List<Verdict> all = new ArrayList<>(first);
		all.addAll(second);
		return List.copyOf(all);
	}

	private static Verdict verdict(RuleUse use) {
		if (use.tier().kind() == Quota.Kind.UNLIMITED) {
			return Verdict.unmeasured(use.rule().policy(), Outcome.UNLIMITED, use.cost(), 0);
		}
		Outcome outcome = (use.rule().policy().shadow()) ? Outcome.SHADOW_DENIED : Outcome.BLOCKED;
		return Verdict.unmeasured(use.rule().policy(), outcome, use.cost(), Verdict.NEVER);
	}

}
