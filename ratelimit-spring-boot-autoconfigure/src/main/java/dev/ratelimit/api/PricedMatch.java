package dev.ratelimit.api;

import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.gate.CostFunction;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.MatchedRule;

/**
 * A match whose rule charges a given cost.
 *
 * @param match the match
 * @param rule the rule with the cost
 */
record PricedMatch(MatchedRule match, GateRule<GateRequest> rule) implements RuleMatch<GateRequest> {

	static PricedMatch of(MatchedRule match, OptionalLong cost) {
		GateRule<GateRequest> rule = match.rule();
		if (rule.compiled().own().concurrent()) {
			throw ApiException.badRequest(
					"the rule '" + rule.id() + "' limits concurrent requests; a check cannot tell when a request ends");
		}
		CostFunction<GateRequest> costs = (cost.isEmpty()) ? rule.cost() : (request, tier) -> cost.getAsLong();
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
