package dev.ratelimit.base;

import java.util.Collection;
import java.util.List;

import dev.ratelimit.RequestView;

/**
 * Internal: reads the authorities of authenticated clients. Thread-safe.
 */
@FunctionalInterface
public interface Authorities {

	/** Returns no authorities for any request. */
	Authorities NONE = (request) -> List.of();

	/**
	 * Return the authorities of the client of a request.
	 * @param request the request, after authentication
	 * @return the authorities, such as {@code ROLE_ADMIN}; empty for an anonymous request
	 */
	Collection<String> of(RequestView request);

}
