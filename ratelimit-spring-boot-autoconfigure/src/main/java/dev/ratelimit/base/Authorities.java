package dev.ratelimit.base;

import java.util.Collection;
import java.util.List;

import dev.ratelimit.RequestView;

/**
 * Internal: reads the authorities of authenticated clients. Thread-safe.
 */
@FunctionalInterface
public interface Authorities {

	/** No principal has any. */
	Authorities NONE = (request) -> List.of();

	/**
	 * The authorities of a request's client.
	 * @param request the request, after authentication
	 * @return such as {@code ROLE_ADMIN}; empty for an anonymous request
	 */
	Collection<String> of(RequestView request);

}
