package dev.ratelimit.web.graphql;

import java.util.concurrent.Executor;

import dev.ratelimit.web.GateRequest;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebGraphQlRequest;

/**
 * Finds the request at the gate that an operation came with.
 */
interface OperationCalls {

	/**
	 * Find the request.
	 * @param request the operation's request
	 * @return the request as rules see it
	 */
	Mono<GateRequest> find(WebGraphQlRequest request);

	/**
	 * Runs what follows a decision that came later: the thread that brings it must not be
	 * blocked by resolvers.
	 * @return the executor
	 */
	Executor executor();

}
