package dev.ratelimit.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.rule.ShownText;

/**
 * Charges and reads rules that a request to the API names. Thread-safe.
 *
 * @param engine makes decisions
 */
record RequestedCharges(RateLimitEngine engine) {

	private static final int NOT_FOUND = 404;

	CompiledRule required(String ruleId) {
		return this.engine.rule(ruleId).orElseThrow(() -> new ApiException(NOT_FOUND, ShownText.unknownRule(ruleId)));
	}

	List<CompiledRule> of(String subject, int most) {
		return this.engine.rules(subject).stream().limit(most).toList();
	}

	CompletableFuture<Decision> charge(CheckRequest.OfRule check, Optional<RetryKey> retry) {
		CompiledRule rule = required(check.rule());
		if (rule.own().concurrent()) {
			throw ApiException.badRequest("the rule '" + check.rule()
					+ "' limits concurrent requests; a check does not know when a request ends");
		}
		long cost = check.cost().orElse(rule.rule().units());
		return this.engine.decide(List.of(RuleCharge.of(check.rule(), check.subject(), cost)),
				(rule.rule().reaction().idempotency()) ? retry : Optional.empty());
	}

	CompletableFuture<Decision> peek(CompiledRule rule, String subject, Optional<String> plan) {
		CompiledRule applied = rule.of(subject);
		return this.engine.peek(new AppliedRule(applied, applied.limits(subject, plan), subject, 0));
	}

}
