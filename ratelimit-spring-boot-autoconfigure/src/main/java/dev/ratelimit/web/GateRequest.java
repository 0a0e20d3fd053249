package dev.ratelimit.web;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RequestView;

import org.springframework.http.server.PathContainer;

/**
 * A request at the gate: what rules may see, and what matching needs.
 *
 * @since 0.1.0
 */
public interface GateRequest extends RequestView {

	/**
	 * The path after the context path, parsed.
	 * @return the path
	 */
	PathContainer parsedPath();

	/**
	 * Ask the handler mapping itself who serves this request. Leaves no trace on the
	 * request.
	 * @return the handler method, if a handler method serves it
	 */
	CompletableFuture<Optional<HandlerKey>> askHandler();

	/**
	 * Ask the handler mappings that come before those to handler methods, such as one to
	 * router functions, whether they serve this request. Leaves no trace on the request.
	 * @return whether no handler method will see the request
	 */
	default CompletableFuture<Boolean> askOthers() {
		return askHandler().thenApply(Optional::isEmpty);
	}

}
