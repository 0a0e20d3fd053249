package dev.ratelimit.api;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.GateRules;
import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.MatchedRule;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.SimulatedRequest;

import org.springframework.http.server.PathContainer;

/**
 * Charges a request that another service has received, with the matching and the stage of
 * the gate, but with all phases in one decision. The doctor does not observe the request.
 * Thread-safe.
 *
 * @param gate the gate
 * @param engine makes the decision
 * @param mappings find the handler of a request
 */
record SimulatedCharges(RequestGate gate, RateLimitEngine engine, HandlerMappings mappings) {

	CompletableFuture<RequestProgress> charge(ExplainRequest described, OptionalLong cost, Optional<RetryKey> retry) {
		SimulatedRequest request = new SimulatedRequest(described, this.mappings::findHandler, this.mappings::findRoute,
				this.gate.addresses());
		GateRules rules = this.gate.rules(this.engine.editions().current());
		RequestProgress start = rules.start();
		// No paths are exempt, because the other service may have other resources at the
		// exempt paths.
		if (this.gate.exemptions().denies(request.address())) {
			return CompletableFuture.completedFuture(start.rejected(this.engine.denyListed()));
		}
		RuleStage<GateRequest> stage = new RuleStage<>(this.engine, new CheckReader(this.gate, described, retry),
				PartitionKeys.NONE, "check", PassageObserver.NONE);
		return matches(rules, request).thenCompose((matches) -> stage.enter(priced(matches, cost), request, start));
	}

	// The other service may or may not normalize paths before it finds a handler, so the
	// rules of both handlers and of both paths apply.
	private static CompletableFuture<List<MatchedRule>> matches(GateRules rules, SimulatedRequest sent) {
		Optional<SimulatedRequest> normalized = sent.normalized();
		if (normalized.isEmpty()) {
			return matchesAsSent(rules, sent);
		}
		PathContainer path = normalized.get().parsedPath();
		return matchesAsSent(rules, sent).thenCombine(matchesAsSent(rules, normalized.get()),
				(first, second) -> Stream
					.concat(first.stream().filter((match) -> !match.path().equals(path)), second.stream())
					.sorted(Comparator.comparing(MatchedRule::id))
					.toList());
	}

	// If the search for a handler fails, the request is matched without a handler. The
	// check must not fail, because the other service may allow requests whose checks
	// fail.
	private static CompletableFuture<List<MatchedRule>> matchesAsSent(GateRules rules, SimulatedRequest request) {
		return rules.served(request)
			.thenCompose((served) -> rules.routed(rules.matches(request, served), request))
			.exceptionally((failure) -> rules.matches(request, Optional.empty()));
	}

	private static List<PricedMatch> priced(List<MatchedRule> matches, OptionalLong cost) {
		return matches.stream().map((match) -> PricedMatch.of(match, cost)).toList();
	}

	/**
	 * Reads the plan and the key of retries from the request to the API.
	 *
	 * @param gate the gate, which resolves plans that the request does not contain
	 * @param described the request
	 * @param retry the key of the request to the API
	 */
	private record CheckReader(RequestGate gate, ExplainRequest described,
			Optional<RetryKey> retry) implements CallReader<GateRequest> {

		@Override
		public Optional<String> plan(GateRequest call) {
			return this.described.plan().or(() -> this.gate.settings().plan(call));
		}

		@Override
		public Optional<RetryKey> retryKey(GateRequest call) {
			return this.retry;
		}

	}

	/**
	 * A match whose rule charges a given cost.
	 *
	 * @param match the match
	 * @param rule the rule with the cost
	 */
	private record PricedMatch(MatchedRule match, GateRule<GateRequest> rule) implements RuleMatch<GateRequest> {

		static PricedMatch of(MatchedRule match, OptionalLong cost) {
			GateRule<GateRequest> rule = match.rule();
			if (rule.compiled().holdsSlots()) {
				throw ApiException.badRequest("the rule '" + rule.id()
						+ "' limits concurrent requests; a check does not know when a request ends");
			}
			CostFunction<GateRequest> costs = (cost.isEmpty()) ? rule.cost()
					: (request, route, limits) -> cost.getAsLong();
			return new PricedMatch(match, rule.costing(costs));
		}

		@Override
		public String route() {
			return this.match.route();
		}

		@Override
		public Optional<String> variable(String name) {
			return this.match.variable(name);
		}

	}

}
