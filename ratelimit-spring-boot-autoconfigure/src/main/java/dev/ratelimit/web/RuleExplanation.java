package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Outcome;
import dev.ratelimit.Phase;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.rule.Rule;

/**
 * Internal: what one rule has to do with a request. Immutable.
 *
 * @param rule the rule
 * @param applies whether it applies
 * @param reason why, or why not
 * @param use what it would do, if it applies
 */
public record RuleExplanation(Rule rule, boolean applies, String reason, Optional<Use> use) {

	static RuleExplanation not(Rule rule, String reason) {
		return new RuleExplanation(rule, false, reason, Optional.empty());
	}

	/**
	 * What a rule would do with a request. Immutable.
	 *
	 * @param phase when it is decided
	 * @param outcome what would become of the request
	 * @param subject the subject; empty if the request lacks the key
	 * @param plan the client's plan, if the rule has numbers for it
	 * @param cost units
	 * @param prospects what each limit would answer
	 * @param queue the queue that the request would join; empty if no request waits
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
