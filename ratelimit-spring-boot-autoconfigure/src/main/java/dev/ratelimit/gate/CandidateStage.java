package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;

/**
 * Internal: finds the charges that the rules of a candidate would make for a call that
 * the active rules decide. It publishes no observations and no unknown plans.
 * Thread-safe.
 *
 * @param <C> the calls of a front
 */
public final class CandidateStage<C extends Call> {

	private static final Consumer<Decision> NO_COMPARISON = (decision) -> {
	};

	private final CallReader<C> reader;

	/**
	 * Create a stage.
	 * @param reader reads plans
	 */
	public CandidateStage(CallReader<C> reader) {
		this.reader = reader;
	}

	/**
	 * Find the charges of the candidate, before the active rules decide.
	 * @param trial the candidate
	 * @param matches the rules of the candidate that apply
	 * @param call the call
	 * @param from the number of verdicts of the call in earlier phases
	 * @param comparable the rules that can be compared
	 * @return compares the decision of the active rules
	 */
	public Consumer<Decision> begin(CandidateTrial trial, List<? extends RuleMatch<C>> matches, C call, int from,
			Predicate<String> comparable) {
		try {
			List<AppliedRule> expected = expected(trial, matches, call);
			return (decision) -> trial.compare(expected, decision, from, comparable);
		}
		catch (RuntimeException ex) {
			// Code of the application that only the candidate calls may fail.
			trial.failed(ex);
			return NO_COMPARISON;
		}
	}

	private List<AppliedRule> expected(CandidateTrial trial, List<? extends RuleMatch<C>> matches, C call) {
		List<AppliedRule> expected = new ArrayList<>(2);
		for (RuleMatch<C> match : matches) {
			if (trial.changes(match.rule().id())) {
				add(match.rule(), match, call, expected);
			}
		}
		return expected;
	}

	private void add(GateRule<C> rule, Route route, C call, List<AppliedRule> expected) {
		AccessList.AccessDecision access = rule.access().of(call);
		Optional<String> subject = (access == AccessList.AccessDecision.LIMITED) ? rule.expectedSubject(call, route)
				: Optional.empty();
		CompiledRule compiled = subject.map((found) -> rule.compiled().of(found)).orElse(rule.compiled());
		if (RuleStage.isAgain(expected, compiled, access, subject.orElse(null))) {
			return;
		}
		if (subject.isPresent()) {
			CompiledLimits limits = limits(compiled, subject.get(), call);
			expected.add(new AppliedRule(compiled, limits, subject.get(), rule.cost().cost(call, route, limits)));
		}
		else if (access == AccessList.AccessDecision.DENIED
				|| (access == AccessList.AccessDecision.LIMITED && rule.requiresKey())) {
			expected.add(AppliedRule.denied(compiled));
		}
		else if (access != AccessList.AccessDecision.LIMITED) {
			expected.add(AppliedRule.bypassed(compiled));
		}
	}

	// Same choice as for the active rules, but unknown plans are not reported.
	private CompiledLimits limits(CompiledRule rule, String subject, C call) {
		return rule.limits(subject, (rule.limitsByPlan(subject)) ? this.reader.plan(call) : Optional.empty());
	}

}
