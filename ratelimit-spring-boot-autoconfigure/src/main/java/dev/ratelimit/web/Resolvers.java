package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.CostResolver;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.PlanResolver;

/**
 * Internal: the resolvers of the application that rules may reference. Immutable.
 *
 * @param keys resolvers of keys by bean name
 * @param costs resolvers of costs by bean name
 * @param plan the resolver of the clients' plans, if there is one
 */
public record Resolvers(Map<String, KeyResolver> keys, Map<String, CostResolver> costs, Optional<PlanResolver> plan) {

	/** No resolvers. */
	public static final Resolvers NONE = new Resolvers(Map.of(), Map.of(), Optional.empty());

}
