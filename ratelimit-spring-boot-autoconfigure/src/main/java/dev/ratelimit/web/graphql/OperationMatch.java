package dev.ratelimit.web.graphql;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;
import dev.ratelimit.rule.GraphQlFields;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.GateRequest;

/**
 * A rule that applies to an operation. Immutable.
 *
 * @param rule the rule
 * @param weight the weight of the operation under the rule
 */
record OperationMatch(GateRule<GateRequest> rule, long weight) implements RuleMatch<GateRequest> {

	static List<OperationMatch> all(List<GateRule<GateRequest>> rules, Operation operation) {
		List<OperationMatch> matches = new ArrayList<>(rules.size());
		boolean replacing = hasReplacing(rules);
		for (GateRule<GateRequest> rule : rules) {
			Rule written = rule.compiled().rule();
			long weight = operation.weight(fields(rule), (replacing) ? replacing(rule, rules) : List.of(),
					written.numbers().cost().kind());
			if (weight >= 0) {
				matches.add(new OperationMatch(rule, weight));
			}
		}
		return matches;
	}

	// A rule is replaced only for the fields of the rules that replace it. Otherwise a
	// client could avoid the rule by a further field in the operation.
	private static List<GraphQlFields> replacing(GateRule<GateRequest> rule, List<GateRule<GateRequest>> rules) {
		return rules.stream()
			.filter((other) -> other.compiled().replaces().contains(rule.id()))
			.map(OperationMatch::fields)
			.toList();
	}

	private static boolean hasReplacing(List<GateRule<GateRequest>> rules) {
		for (GateRule<GateRequest> rule : rules) {
			if (!rule.compiled().replaces().isEmpty()) {
				return true;
			}
		}
		return false;
	}

	private static GraphQlFields fields(GateRule<GateRequest> rule) {
		return rule.compiled().rule().graphQl().orElseThrow();
	}

}
