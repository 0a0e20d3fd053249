package dev.ratelimit.web;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: finds the handler of a simulated request by the handler mappings of a stack.
 */
@FunctionalInterface
public interface HandlerMappings {

	/**
	 * Find the handler of a request.
	 * @param request the request
	 * @return the handler method; empty if none serves it; fails if the mappings cannot
	 * be called
	 */
	CompletableFuture<Optional<HandlerKey>> findHandler(SimulatedRequest request);

	/**
	 * Find the pattern by which a handler method or a router function would serve a
	 * request.
	 * @param request the request
	 * @return the pattern; empty if neither serves it; fails if the mappings cannot be
	 * called
	 */
	default CompletableFuture<Optional<String>> findRoute(SimulatedRequest request) {
		return CompletableFuture.completedFuture(Optional.empty());
	}

}
