package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Internal: a simulated request to explain. Immutable.
 *
 * @param method the HTTP method, upper case
 * @param uri the raw path after the context path, and the query
 * @param headers values of headers by name
 * @param address the address of the client; empty if unknown
 * @param user the name of the authenticated client, if there is one
 * @param plan the assumed plan of the client; empty to resolve it as for other requests
 */
public record ExplainRequest(String method, String uri, Map<String, List<String>> headers, String address,
		Optional<String> user, Optional<String> plan) {

	public ExplainRequest {
		headers = Map.copyOf(headers);
		if (!uri.startsWith("/")) {
			throw new IllegalArgumentException("the path must start with '/'");
		}
	}

}
