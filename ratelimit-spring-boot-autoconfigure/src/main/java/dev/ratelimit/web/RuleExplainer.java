package dev.ratelimit.web;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.LineState;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.web.HandlerIndex.Served;

/**
 * Looks at what the rules that apply to a request would do with it.
 *
 * @param gate knows plans
 * @param engine looks at buckets
 * @param request the request
 * @param served the handler with rules that would serve it, if there is one
 * @param level finds the limits of the level of the request
 */
record RuleExplainer(RequestGate gate, RateLimitEngine engine, SimulatedRequest request, Optional<Served> served,
		UnaryOperator<CompiledLimits> level) {

	CompletableFuture<RuleExplanation> of(MatchedRule match) {
		try {
			AccessList.AccessDecision standing = match.rule().access().of(this.request);
			if (standing != AccessList.AccessDecision.LIMITED) {
				return CompletableFuture.completedFuture(without(match, standing.name().toLowerCase(Locale.ROOT)));
			}
			return match.rule()
				.expectedSubject(this.request, match)
				.map((subject) -> look(match, subject))
				.orElseGet(() -> CompletableFuture.completedFuture(withoutKey(match)));
		}
		// Code of the application's own may want more of a request than can be imagined.
		catch (RuntimeException ex) {
			return CompletableFuture.completedFuture(unknown(match, ex));
		}
	}

	private CompletableFuture<RuleExplanation> look(MatchedRule match, String subject) {
		CompiledRule rule = match.rule().compiled().of(subject);
		Optional<String> plan = (!rule.limitsByPlan(subject)) ? Optional.empty()
				: this.request.plan()
					.or(() -> this.gate.settings().plan(this.request))
					.filter(rule.plans()::containsKey);
		CompiledLimits tier = this.level.apply(rule.limits(subject, plan));
		long cost = match.rule().cost().cost(this.request, tier);
		return this.engine
			.decide(List.of(new AppliedRule(rule, tier, subject, 0)), Optional.empty(),
					this.engine.deadline().toNanos())
			.thenApply((seen) -> explanation(match, new RuleExplanation.Use(match.web().phase(),
					this.engine.editions()
						.sanctioned(rule, subject)
						.orElseGet(() -> outcome(rule, tier, prospects(seen, cost))),
					Optional.of(subject), plan, cost, prospects(seen, cost),
					line(match, new AppliedRule(rule, tier, subject, cost)))));
	}

	private Optional<LineState> line(MatchedRule match, AppliedRule rule) {
		return (rule.rule().waits())
				? this.engine.queues().find(rule, match.rule().flow(this.request, match, rule.subject()))
				: Optional.empty();
	}

	private static List<ExpectedVerdict> prospects(Decision seen, long cost) {
		return seen.verdicts().stream().map((verdict) -> new ExpectedVerdict(verdict, cost)).toList();
	}

	private static String outcome(CompiledRule rule, CompiledLimits tier, List<ExpectedVerdict> prospects) {
		boolean passes = tier.kind() != CompiledLimits.Kind.BLOCKED
				&& prospects.stream().allMatch(ExpectedVerdict::passes);
		if (passes) {
			return "allowed";
		}
		return rule.excess();
	}

	private RuleExplanation withoutKey(MatchedRule match) {
		return without(match, (match.rule().requiresKey()) ? "key-missing" : "skipped");
	}

	private RuleExplanation without(MatchedRule match, String outcome) {
		long cost = match.rule().compiled().rule().units();
		return explanation(match, new RuleExplanation.Use(match.web().phase(), outcome, Optional.empty(),
				Optional.empty(), cost, List.of()));
	}

	private RuleExplanation explanation(MatchedRule match, RuleExplanation.Use use) {
		return new RuleExplanation(match.rule().compiled().rule(), true, reason(match), Optional.of(use));
	}

	private static RuleExplanation unknown(MatchedRule match, RuntimeException failure) {
		return new RuleExplanation(match.rule().compiled().rule(), true,
				"the rule applies, but its key, plan, or cost could not be resolved: "
						+ failure.getClass().getSimpleName(),
				Optional.empty());
	}

	private String reason(MatchedRule match) {
		Optional<Served> named = this.served.filter((handler) -> handler.pattern() == match.pattern());
		return named.map((handler) -> "the handler " + handler.handler() + " serves " + match.pattern())
			.orElseGet(() -> "the path matches " + match.pattern());
	}

}
