package dev.ratelimit.base;

import java.util.Optional;

import dev.ratelimit.RequestView;

/**
 * Internal: reads what tokens say of authenticated clients. Thread-safe.
 */
@FunctionalInterface
public interface Claims {

	/**
	 * A claim of a request's client.
	 * @param request the request, after authentication
	 * @param name the claim
	 * @return its text; empty for an anonymous request, or if the token has no such claim
	 */
	Optional<String> claim(RequestView request, String name);

}
