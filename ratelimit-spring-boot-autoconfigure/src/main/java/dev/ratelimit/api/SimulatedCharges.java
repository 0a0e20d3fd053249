package dev.ratelimit.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.GateWatch;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.gate.RuleWatch;
import dev.ratelimit.web.GateRules;
import dev.ratelimit.web.MatchedRule;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.explain.ExplainRequest;
import dev.ratelimit.web.explain.HandlerMappings;
import dev.ratelimit.web.explain.SimulatedRequest;
import dev.ratelimit.web.request.GateRequest;

/**
 * Charges a request that another service received, as the gate would: the same matching
 * and the same stage, all phases in one decision. The doctor does not see it.
 * Thread-safe.
 *
 * @param gate the gate
 * @param engine makes the decision
 * @param mappings know the handler of a request
 */
record SimulatedCharges(RequestGate gate, RateLimitEngine engine, HandlerMappings mappings) {

	CompletableFuture<RequestProgress> charge(ExplainRequest described, OptionalLong cost, Optional<RetryKey> retry) {
		SimulatedRequest request = new SimulatedRequest(described, this.mappings::ask, this.gate.addresses());
		RequestProgress start = this.gate.begin(RequestProgress.START);
		if (this.gate.entrance().isDenied(request)) {
			return CompletableFuture.completedFuture(start.rejected(this.engine.banned()));
		}
		if (this.gate.entrance().isExempt(request)) {
			return CompletableFuture.completedFuture(start);
		}
		GateRules rules = this.gate.rules(this.engine.editions().current());
		RuleStage<GateRequest> stage = new RuleStage<>(this.engine, new Reader(this.gate, described, retry),
				PartitionKeys.NONE, GateWatch.NONE);
		return rules.handlers()
			.index()
			.find(request)
			.thenCompose((served) -> stage.enter(priced(rules.matches(request, served), cost), request, start));
	}

	private static List<Priced> priced(List<MatchedRule> matches, OptionalLong cost) {
		return matches.stream().map((match) -> Priced.of(match, cost)).toList();
	}

	/**
	 * A match whose rule charges a given cost.
	 *
	 * @param match the match
	 * @param rule the rule with the cost
	 */
	private record Priced(MatchedRule match, GateRule<GateRequest> rule) implements RuleMatch<GateRequest> {

		static Priced of(MatchedRule match, OptionalLong cost) {
			GateRule<GateRequest> rule = match.rule();
			if (rule.compiled().own().concurrent()) {
				throw ApiException.badRequest("the rule '" + rule.id()
						+ "' limits concurrent requests; a check cannot tell when a request ends");
			}
			CostFunction<GateRequest> costs = (cost.isEmpty()) ? rule.cost() : (request, tier) -> cost.getAsLong();
			return new Priced(match,
					new GateRule<>(rule.compiled(), rule.key(), costs, rule.access(), RuleWatch.NONE));
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

	/**
	 * Reads what the request to the API says.
	 *
	 * @param gate finds plans that the request does not name
	 * @param described the request
	 * @param retry the key of the request to the API
	 */
	private record Reader(RequestGate gate, ExplainRequest described,
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

}
