package dev.ratelimit.web.graphql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;
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
		boolean replacing = false;
		for (GateRule<GateRequest> rule : rules) {
			Rule written = rule.compiled().rule();
			long weight = operation.weight(written.graphQl().orElseThrow(), written.numbers().cost().kind());
			if (weight >= 0) {
				matches.add(new OperationMatch(rule, weight));
				replacing |= !rule.compiled().replaces().isEmpty();
			}
		}
		return (replacing) ? withoutReplaced(matches) : matches;
	}

	private static List<OperationMatch> withoutReplaced(List<OperationMatch> matches) {
		Set<String> replaced = new HashSet<>();
		matches.forEach((match) -> replaced.addAll(match.rule().compiled().replaces()));
		return matches.stream().filter((match) -> !replaced.contains(match.rule().id())).toList();
	}

}
