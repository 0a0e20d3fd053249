package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitState;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.HandlerIndex.Served;

/**
 * Internal: explains the expected treatment of a request by the matching of the gate,
 * without a charge. Thread-safe.
 */
public final class Explainer {

	private static final String UNCOUNTED = "only early rules by address, or by a header that the request has,"
			+ " count credentials that are sent to management";

	private final RequestGate gate;

	private final RateLimitEngine engine;

	private final HandlerMappings mappings;

	/**
	 * Create an explainer.
	 * @param gate the gate
	 * @param engine the engine, which reads buckets
	 * @param mappings find the handler of a simulated request
	 */
	public Explainer(RequestGate gate, RateLimitEngine engine, HandlerMappings mappings) {
		this.gate = gate;
		this.engine = engine;
		this.mappings = mappings;
	}

	/**
	 * Explain a request.
	 * @param explainRequest the known properties of the request
	 * @return the explanation
	 */
	public CompletableFuture<Explanation> explain(ExplainRequest explainRequest) {
		SimulatedRequest request = new SimulatedRequest(explainRequest, this.mappings::findHandler,
				this.mappings::findRoute, this.gate.addresses());
		if (this.gate.exemptions().isDenied(request)) {
			return CompletableFuture.completedFuture(Explanation.denyListed(explainRequest));
		}
		Edition edition = this.engine.editions().current();
		GateRules rules = this.gate.rules(edition);
		return rules.served(request)
			.thenCompose((served) -> rules.routed(rules.matching(null, request, served), request)
				.thenApply((matching) -> new Matches(served, matching, Optional.empty())))
			.exceptionally((failure) -> Matches.withoutHandler(rules, request))
			.thenCompose((matches) -> explain(edition, rules, explainRequest, request, matches));
	}

	private CompletableFuture<Explanation> explain(Edition edition, GateRules rules, ExplainRequest explainRequest,
			SimulatedRequest request, Matches matches) {
		Optional<Served> served = matches.served();
		List<MatchedRule> matching = matches.rules();
		Entry entry = this.gate.exemptions().entry(request, rules.matches(request, served));
		if (entry.isExempt()) {
			return CompletableFuture.completedFuture(Explanation.exempt(explainRequest));
		}
		List<MatchedRule> standing = rules.withoutReplaced(matching, served);
		RuleExplainer prospects = new RuleExplainer(this.gate, this.engine, request, served,
				rules.limits(this.gate.settings().levels(), request, served));
		List<CompletableFuture<RuleExplanation>> answers = new ArrayList<>();
		for (Rule rule : edition.rules().rules().values()) {
			Optional<MatchedRule> match = match(standing, rule);
			if (match.isPresent() && !match.get().counts(entry, request)) {
				answers.add(CompletableFuture.completedFuture(RuleExplanation.not(rule, UNCOUNTED)));
				continue;
			}
			answers.add((match.isPresent()) ? prospects.of(match.get()) : CompletableFuture.completedFuture(
					RuleExplanation.not(rule, why(rules, rule, request, match(matching, rule).isPresent()))));
		}
		return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
			.thenApply((all) -> conclude(explainRequest, served, matches.note(),
					answers.stream().map(CompletableFuture::join).toList())
				.seated(this.gate, rules, request, served));
	}

	private static Optional<MatchedRule> match(List<MatchedRule> matches, Rule rule) {
		return matches.stream().filter((one) -> one.id().equals(rule.id())).findFirst();
	}

	private static String why(GateRules rules, Rule rule, SimulatedRequest request, boolean replaced) {
		if (replaced) {
			return "a rule that replaces it applies";
		}
		WebRule ready = rules.rules().byId().get(rule.id());
		if (ready == null) {
			return "the rule is disabled (mode: off)";
		}
		String mismatch = ready.mismatch(request.method(), request.parsedPath());
		return (mismatch.isEmpty()) ? "the handler is exempt from the rule" : mismatch;
	}

	private static Explanation conclude(ExplainRequest explainRequest, Optional<Served> served, Optional<String> note,
			List<RuleExplanation> rules) {
		boolean rejected = rules.stream().flatMap((rule) -> rule.use().stream()).anyMatch(RuleExplanation.Use::rejects);
		return new Explanation(explainRequest, (rejected) ? "rejected" : "allowed",
				served.map((handler) -> handler.handler().toString()), note, Optional.empty(), Optional.empty(), rules);
	}

	/**
	 * The findings for a request.
	 *
	 * @param served the handler with rules that would serve it, if there is one
	 * @param rules the rules that match by path or handler
	 * @param note the reason if the handler is unknown; empty otherwise
	 */
	private record Matches(Optional<Served> served, List<MatchedRule> rules, Optional<String> note) {

		static Matches withoutHandler(GateRules rules, SimulatedRequest request) {
			return new Matches(Optional.empty(), rules.matching(null, request, Optional.empty()), Optional
				.of("the handler depends on conditions that cannot be simulated; rules of handlers are omitted"));
		}

	}

	/**
	 * Finds the effects of the rules that apply to a request.
	 *
	 * @param gate the gate, which finds plans
	 * @param engine the engine, which reads buckets
	 * @param request the request
	 * @param served the handler with rules that would serve it, if there is one
	 * @param level finds the limits of the level of the request
	 */
	private record RuleExplainer(RequestGate gate, RateLimitEngine engine, SimulatedRequest request,
			Optional<Served> served, UnaryOperator<CompiledLimits> level) {

		CompletableFuture<RuleExplanation> of(MatchedRule match) {
			try {
				AccessList.AccessDecision access = match.rule().access().of(this.request);
				if (access != AccessList.AccessDecision.LIMITED) {
					return CompletableFuture.completedFuture(without(match,
							(access == AccessList.AccessDecision.DENIED) ? Outcome.DENY_LISTED : Outcome.BYPASSED));
				}
				return match.rule()
					.expectedSubject(this.request, match)
					.map((subject) -> look(match, subject))
					.orElseGet(() -> CompletableFuture.completedFuture(withoutKey(match)));
			}
			// Code of the application may require properties that simulated requests do
			// not have.
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
			CompiledLimits limits = this.level.apply(rule.limits(subject, plan));
			long cost = match.rule().cost().cost(this.request, match, limits);
			AppliedRule applied = new AppliedRule(rule, limits, subject, cost);
			Optional<WaitState> waiting = waitState(match, applied);
			return this.engine.peek(applied)
				.thenApply((seen) -> explanation(match,
						new RuleExplanation.Use(match.web().phase(),
								this.engine.editions()
									.sanctioned(rule, subject)
									.orElseGet(() -> outcome(rule, limits, prospects(seen, cost))),
								Optional.of(subject), plan, cost, prospects(seen, cost), waiting)));
		}

		private Optional<WaitState> waitState(MatchedRule match, AppliedRule rule) {
			return (rule.rule().waits())
					? this.engine.queues().find(rule, match.rule().flow(this.request, match, rule.subject()))
					: Optional.empty();
		}

		private static List<ExpectedVerdict> prospects(Decision seen, long cost) {
			return seen.verdicts()
				.stream()
				.map((verdict) -> new ExpectedVerdict(verdict, cost, seen.source()))
				.toList();
		}

		private static Outcome outcome(CompiledRule rule, CompiledLimits limits, List<ExpectedVerdict> prospects) {
			boolean passes = limits.kind() != CompiledLimits.Kind.BLOCKED
					&& prospects.stream().allMatch(ExpectedVerdict::passes);
			if (passes) {
				return Outcome.ALLOWED;
			}
			return rule.excess();
		}

		private RuleExplanation withoutKey(MatchedRule match) {
			return without(match, (match.rule().requiresKey()) ? Outcome.KEY_MISSING : Outcome.SKIPPED);
		}

		private RuleExplanation without(MatchedRule match, Outcome outcome) {
			long cost = match.rule().compiled().rule().units();
			return explanation(match, new RuleExplanation.Use(match.web().phase(), outcome, Optional.empty(),
					Optional.empty(), cost, List.of()));
		}

		private RuleExplanation explanation(MatchedRule match, RuleExplanation.Use use) {
			return new RuleExplanation(match.rule().compiled().rule(), true, reason(match), Optional.of(use));
		}

		private static RuleExplanation unknown(MatchedRule match, RuntimeException failure) {
			return new RuleExplanation(match.rule().compiled().rule(), true,
					"the rule applies, but its key, plan, cost, or queue could not be resolved: "
							+ failure.getClass().getSimpleName(),
					Optional.empty());
		}

		private String reason(MatchedRule match) {
			Optional<Served> named = this.served.filter((handler) -> handler.pattern() == match.pattern());
			return named.map((handler) -> "the handler " + handler.handler() + " serves " + match.pattern())
				.orElseGet(() -> "the path matches " + match.pattern());
		}

	}

}
