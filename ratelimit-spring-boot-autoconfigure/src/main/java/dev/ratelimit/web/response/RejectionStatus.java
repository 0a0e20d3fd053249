package dev.ratelimit.web.response;

import java.util.EnumSet;
import java.util.Set;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Internal: finds the HTTP status of a rejection: the status of the rule, or the default
 * of the situation. Thread-safe.
 */
public final class RejectionStatus {

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int SERVICE_UNAVAILABLE = 503;

	private static final int FORBIDDEN = 403;

	private static final Set<Outcome> FORBIDDING = EnumSet.of(Outcome.KEY_MISSING, Outcome.BLOCKED, Outcome.DENY_LISTED,
			Outcome.BANNED);

	private final Editions editions;

	/**
	 * Create a finder of statuses.
	 * @param editions the editions of the rules
	 */
	public RejectionStatus(Editions editions) {
		this.editions = editions;
	}

	int of(Verdict verdict, @Nullable Edition met) {
		if (verdict.outcome() == Outcome.FAILED_CLOSED || verdict.outcome() == Outcome.SHED) {
			return SERVICE_UNAVAILABLE;
		}
		Edition edition = (met != null) ? met : this.editions.current();
		Rule rule = edition.rule(verdict.policy().ruleId()).map(CompiledRule::rule).orElse(null);
		if (rule != null && rule.reaction().status().isPresent()) {
			return rule.reaction().status().getAsInt();
		}
		if (FORBIDDING.contains(verdict.outcome())) {
			return FORBIDDEN;
		}
		return (rule != null && rule.sharedByAllClients()) ? SERVICE_UNAVAILABLE : TOO_MANY_REQUESTS;
	}

}
