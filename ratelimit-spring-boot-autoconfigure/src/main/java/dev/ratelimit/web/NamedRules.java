package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

/**
 * Internal: rules that a front applies to a request by their ids, regardless of its path.
 * Immutable.
 *
 * @param ids the ids of the rules
 * @param route the route of the request, as keys read it
 * @param variables the variables of its path, as keys read them
 */
public record NamedRules(List<String> ids, String route, Map<String, String> variables) implements RuleScope {

	public NamedRules {
		ids = ids.stream().distinct().toList();
		variables = Map.copyOf(variables);
	}

}
