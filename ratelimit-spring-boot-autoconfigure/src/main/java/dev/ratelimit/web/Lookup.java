package dev.ratelimit.web;

import java.util.Optional;

import org.springframework.http.server.PathContainer;

/**
 * Where a request leads, for the phase after the one that found out. What lies between
 * may wrap the request, and is trusted not to change what a handler's other conditions
 * look at. Immutable.
 *
 * @param index who was asked
 * @param method the request's method
 * @param path its path after the context path
 * @param served the handler with rules that serves it, if there is one
 */
record Lookup(HandlerIndex index, String method, PathContainer path, Optional<HandlerIndex.Served> served) {

	static Lookup of(HandlerIndex index, GateRequest request, Optional<HandlerIndex.Served> served) {
		return new Lookup(index, request.method(), request.parsedPath(), served);
	}

	boolean answers(HandlerIndex asked, GateRequest request) {
		return this.index == asked && this.method.equals(request.method()) && this.path.value().equals(request.path());
	}

	// A broken path is parsed from another text than its own: it is parsed again.
	boolean isOf(String raw, String contextPath) {
		String rest = this.path.value();
		return raw.length() == contextPath.length() + rest.length() && raw.startsWith(contextPath)
				&& raw.endsWith(rest);
	}

}
