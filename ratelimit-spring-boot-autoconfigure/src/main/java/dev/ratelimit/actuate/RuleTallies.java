package dev.ratelimit.actuate;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import org.jspecify.annotations.Nullable;

/**
 * Internal: counts requests per rule and outcome, once for each rule of a request. A rule
 * that changes keeps its counts; the counts of a removed rule are dropped. Thread-safe.
 */
public final class RuleTallies implements DecisionObserver {

	private static final String NO_ALGORITHM = "none";

	private volatile Map<String, RuleTally> tallies = Map.of();

	/**
	 * Count only the rules of a set from now on.
	 * @param rules the set
	 */
	public void follow(RuleSet rules) {
		Map<String, RuleTally> before = this.tallies;
		Map<String, RuleTally> next = new HashMap<>();
		rules.rules().forEach((id, rule) -> next.put(id, following(before.get(id), id, algorithm(rule))));
		String any = Policy.ANY.ruleId();
		next.put(any, following(before.get(any), any, NO_ALGORITHM));
		this.tallies = Map.copyOf(next);
	}

	/**
	 * Return all tallies.
	 * @return one for each active rule, and one with the id {@code *} for rejections that
	 * belong to no rule
	 */
	public Collection<RuleTally> tallies() {
		return this.tallies.values();
	}

	@Override
	public boolean observesRules() {
		return false;
	}

	@Override
	public boolean observesTime() {
		return false;
	}

	@Override
	public void decided(List<AppliedRule> rules, Decision decision, long startNanos, long tookNanos) {
		String counted = "";
		for (int i = 0; i < decision.verdicts().size(); i++) {
			Verdict verdict = decision.verdicts().get(i);
			String rule = verdict.policy().ruleId();
			// A marked client is charged nothing.
			boolean counts = verdict.cost() > 0 || verdict.outcome() == Outcome.MARKED;
			if (counts && !rule.equals(counted)) {
				count(rule, outcome(decision, i), decision.allowed());
				counted = rule;
			}
		}
	}

	// If another rule rejects the request, this rule counts it only if it rejects it,
	// too.
	private void count(String rule, Outcome outcome, boolean allowed) {
		RuleTally tally = this.tallies.get(rule);
		if (tally != null && (allowed || !outcome.passes())) {
			tally.add(outcome);
		}
	}

	// A rule with several limits has one outcome. Requests that a failure policy allowed
	// have the outcome FAILED_OPEN.
	private static Outcome outcome(Decision decision, int first) {
		Verdict verdict = decision.verdicts().get(first);
		String rule = verdict.policy().ruleId();
		Outcome outcome = verdict.outcome();
		for (int i = first + 1; i < decision.verdicts().size(); i++) {
			verdict = decision.verdicts().get(i);
			if (!verdict.policy().ruleId().equals(rule)) {
				break;
			}
			outcome = outcome.with(verdict.outcome());
		}
		return (outcome == Outcome.ALLOWED && decision.source() == Source.FALLBACK) ? Outcome.FAILED_OPEN : outcome;
	}

	// The algorithm is a tag of the meters, so another algorithm requires a new count.
	private static RuleTally following(@Nullable RuleTally before, String id, String algorithm) {
		return (before != null && before.algorithm().equals(algorithm)) ? before : new RuleTally(id, algorithm);
	}

	private static String algorithm(Rule rule) {
		return rule.limits().stream().findFirst().map(Limit::algorithm).orElse(NO_ALGORITHM);
	}

}
