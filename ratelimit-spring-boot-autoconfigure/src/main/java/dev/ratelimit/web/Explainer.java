package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.HandlerIndex.Served;

/**
 * Internal: says what would happen to a request, by the gate's own matching, and charges
 * nothing. Thread-safe.
 */
public final class Explainer {

	private static final String UNCOUNTED = "only early rules by address, or by a header that the request has,"
			+ " count credentials that are sent to management";

	private final RequestGate gate;

	private final RateLimitEngine engine;

	private final HandlerMappings mappings;

	/**
	 * An explainer.
	 * @param gate decides requests
	 * @param engine looks at buckets
	 * @param mappings know who would serve a request
	 */
	public Explainer(RequestGate gate, RateLimitEngine engine, HandlerMappings mappings) {
		this.gate = gate;
		this.engine = engine;
		this.mappings = mappings;
	}

	/**
	 * Explain a request.
	 * @param enquiry what is known of it
	 * @return what would happen
	 */
	public CompletableFuture<Explanation> explain(ExplainRequest enquiry) {
		SimulatedRequest request = new SimulatedRequest(enquiry, this.mappings::ask, this.mappings::askRoute,
				this.gate.addresses());
		if (this.gate.entrance().isDenied(request)) {
			return CompletableFuture.completedFuture(Explanation.banned(enquiry));
		}
		Edition edition = this.engine.editions().current();
		GateRules rules = this.gate.rules(edition);
		return rules.served(request)
			.thenCompose((served) -> rules.routed(rules.matching(null, request, served), request)
				.thenCompose(
						(matching) -> explain(edition, rules, enquiry, request, served, matching, Optional.empty())))
			.exceptionallyCompose((failure) -> explain(edition, rules, enquiry, request, Optional.empty(),
					rules.matching(null, request, Optional.empty()), Optional
						.of("the handler depends on conditions that cannot be simulated; rules of handlers are omitted")));
	}

	private CompletableFuture<Explanation> explain(Edition edition, GateRules rules, ExplainRequest enquiry,
			SimulatedRequest request, Optional<Served> served, List<MatchedRule> matching, Optional<String> note) {
		Entry entry = this.gate.entrance().entry(request, rules.matches(request, served));
		if (entry.isExempt()) {
			return CompletableFuture.completedFuture(Explanation.exempt(enquiry));
		}
		Set<String> replaced = GateRules.replaced(matching);
		RuleExplainer prospects = new RuleExplainer(this.gate, this.engine, request, served,
				rules.limits(this.gate.settings().levels(), request, served));
		List<CompletableFuture<RuleExplanation>> answers = new ArrayList<>();
		for (Rule rule : edition.rules().rules().values()) {
			Optional<MatchedRule> match = matching.stream().filter((one) -> one.id().equals(rule.id())).findFirst();
			boolean stands = match.isPresent() && !replaced.contains(rule.id());
			if (stands && !match.get().counts(entry, request)) {
				answers.add(CompletableFuture.completedFuture(RuleExplanation.not(rule, UNCOUNTED)));
				continue;
			}
			answers.add((stands) ? prospects.of(match.get()) : CompletableFuture
				.completedFuture(RuleExplanation.not(rule, why(rules, rule, request, match.isPresent()))));
		}
		return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
			.thenApply((all) -> conclude(enquiry, served, note, answers.stream().map(CompletableFuture::join).toList())
				.seated(this.gate, rules, request, served));
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

	private static Explanation conclude(ExplainRequest enquiry, Optional<Served> served, Optional<String> note,
			List<RuleExplanation> rules) {
		boolean rejected = rules.stream().flatMap((rule) -> rule.use().stream()).anyMatch(RuleExplanation.Use::rejects);
		return new Explanation(enquiry, (rejected) ? "denied" : "allowed",
				served.map((handler) -> handler.handler().toString()), note, Optional.empty(), Optional.empty(), rules);
	}

}
