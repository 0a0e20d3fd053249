package dev.ratelimit.base;

import java.util.Optional;

import dev.ratelimit.RequestView;

/**
 * Internal: reads the claims of authenticated clients from their tokens. Thread-safe.
 */
@FunctionalInterface
public interface Claims {

	/**
	 * Return a claim of the client of a request.
	 * @param request the request, after authentication
	 * @param name the name of the claim
	 * @return the text of the claim; empty for an anonymous request, or if the token has
	 * no such claim
	 */
	Optional<String> claim(RequestView request, String name);

}
