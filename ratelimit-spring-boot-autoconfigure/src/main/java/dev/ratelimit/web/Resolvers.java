package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.CostResolver;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.PlanResolver;

/**
 * Internal: the application's own code that rules may name. Immutable.
 *
 * @param keys finders of keys by bean name
 * @param costs finders of costs by bean name
 * @param plan the finder of clients' plans, if there is one
 */
public record Resolvers(Map<String, KeyResolver> keys, Map<String, CostResolver> costs, Optional<PlanResolver> plan) {

	/** No code of the application's own. */
	public static final Resolvers NONE = new Resolvers(Map.of(), Map.of(), Optional.empty());

}
