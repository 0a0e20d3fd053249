package dev.ratelimit.web.graphql;

import java.util.concurrent.Executor;

import dev.ratelimit.web.GateRequest;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebGraphQlRequest;

/**
 * Finds the request at the gate that contains an operation.
 */
interface OperationCalls {

	/**
	 * Find the request.
	 * @param request the operation's request
	 * @return the request in the form that rules evaluate
	 */
	Mono<GateRequest> find(WebGraphQlRequest request);

	/**
	 * Return the executor for the continuation of a decision that is not immediate.
	 * Resolvers must not block the thread that receives the decision.
	 * @return the executor
	 */
	Executor executor();

}
