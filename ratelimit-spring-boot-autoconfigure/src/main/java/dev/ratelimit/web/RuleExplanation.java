package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Outcome;
import dev.ratelimit.Phase;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.rule.Rule;

/**
 * Internal: the explanation of one rule for a request: whether it applies, and its
 * effect. Immutable.
 *
 * @param rule the rule
 * @param applies whether it applies
 * @param reason the reason
 * @param use its effect, if it applies
 */
public record RuleExplanation(Rule rule, boolean applies, String reason, Optional<Use> use) {

	static RuleExplanation not(Rule rule, String reason) {
		return new RuleExplanation(rule, false, reason, Optional.empty());
	}

	/**
	 * The effect that a rule would have on a request. Immutable.
	 *
	 * @param phase the phase in which it is evaluated
	 * @param outcome the expected outcome
	 * @param subject the subject; empty if the request lacks the key
	 * @param plan the client's plan, if the rule has numbers for it
	 * @param cost the cost in units
	 * @param prospects the expected verdict of each limit
	 * @param queue the queue that the request would join; empty if no requests wait
	 */
	public record Use(Phase phase, Outcome outcome, Optional<String> subject, Optional<String> plan, long cost,
			List<ExpectedVerdict> prospects, Optional<WaitState> queue) {

		Use(Phase phase, Outcome outcome, Optional<String> subject, Optional<String> plan, long cost,
				List<ExpectedVerdict> prospects) {
			this(phase, outcome, subject, plan, cost, prospects, Optional.empty());
		}

		boolean rejects() {
			return !this.outcome.passes();
		}

	}

}
