package dev.ratelimit.web;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: asks the handler mappings of a stack who would serve a request that nobody
 * has sent.
 */
@FunctionalInterface
public interface HandlerMappings {

	/**
	 * Who would serve a request.
	 * @param request the request
	 * @return the handler method; empty if none serves it. Fails if the mappings cannot
	 * be asked
	 */
	CompletableFuture<Optional<HandlerKey>> ask(SimulatedRequest request);

	/**
	 * By which pattern a handler method or a router function would serve a request.
	 * @param request the request
	 * @return the pattern; empty if neither serves it. Fails if the mappings cannot be
	 * asked
	 */
	default CompletableFuture<Optional<String>> askRoute(SimulatedRequest request) {
		return CompletableFuture.completedFuture(Optional.empty());
	}

}
