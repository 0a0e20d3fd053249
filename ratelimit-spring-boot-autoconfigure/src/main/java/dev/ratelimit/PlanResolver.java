package dev.ratelimit;

import java.util.Optional;

/**
 * Strategy to resolve the plan of a client, which selects the limits of rules with {@code
 * plans}. Implementations must be thread-safe and must not block. A single bean of this
 * type takes precedence over {@code ratelimit.plan}. An exception fails the request like
 * an exception of its handler.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PlanResolver {

	/**
	 * Resolve the plan of the client of a request.
	 * @param request the request
	 * @return the plan; if it is empty, or a rule does not define it, the rule's own
	 * limits apply; if it has none, those of its smallest plan
	 */
	Optional<String> plan(RequestView request);

	/**
	 * Return whether the resolver uses the principal, so that rules with plans must be
	 * evaluated after authentication.
	 * @return whether the principal is required
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
