package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.web.HandlerIndex.Served;

/**
 * Internal: the expected treatment of a request. Immutable.
 *
 * @param explainRequest the request
 * @param outcome {@code allowed}, {@code rejected}, or {@code exempt} if no rule counts
 * the request
 * @param handler the handler method with rules that would serve it, if there is one
 * @param note the assumptions of the explanation, if some properties are unknown
 * @param level the level of the request; empty if levels have no effect
 * @param seat the action of the load guard; empty if the instance is not protected
 * @param rules all rules, in the order of their ids
 */
public record Explanation(ExplainRequest explainRequest, String outcome, Optional<String> handler,
		Optional<String> note, Optional<Level> level, Optional<ExpectedSeat> seat, List<RuleExplanation> rules) {

	/**
	 * Return this explanation with the level of the request, and the action of the load
	 * guard.
	 * @param gate the gate, which has the load guard
	 * @param rules the rules, which contain the level of the handler
	 * @param request the request
	 * @param served its handler, if it has rules or a level
	 * @return the explanation
	 */
	Explanation seated(RequestGate gate, GateRules rules, SimulatedRequest request, Optional<Served> served) {
		Optional<ExpectedSeat> expected = gate.load().expected(request, rules.handlers().level(served));
		Optional<Level> level = expected.map(ExpectedSeat::level)
			.or(() -> (rules.rules().reserving()) ? Optional.of(rules.level(gate.settings().levels(), request, served))
					: Optional.empty());
		return new Explanation(this.explainRequest, this.outcome, this.handler, this.note, level, expected, this.rules);
	}

	static Explanation denyListed(ExplainRequest explainRequest) {
		return new Explanation(explainRequest, "rejected", Optional.empty(),
				Optional.of("the address is on the deny list (ratelimit.deny)"), Optional.empty(), Optional.empty(),
				List.of());
	}

	static Explanation exempt(ExplainRequest explainRequest) {
		return new Explanation(explainRequest, "exempt", Optional.empty(),
				Optional.of("management endpoints and CORS preflight requests are not limited"), Optional.empty(),
				Optional.empty(), List.of());
	}

}
