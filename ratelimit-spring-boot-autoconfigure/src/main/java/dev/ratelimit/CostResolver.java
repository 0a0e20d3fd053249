package dev.ratelimit;

/**
 * Strategy to resolve the cost of a request. Rules reference it as {@code cost:
 * bean:name}. Implementations must be thread-safe and must not block. An exception fails
 * the request like an exception of its handler.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CostResolver {

	/**
	 * Return the cost of a request.
	 * @param request the request
	 * @return the cost in units; negative values count as 0, which charges nothing and is
	 * always allowed
	 */
	long cost(RequestView request);

	/**
	 * Return whether the resolver uses the principal, so that rules with this cost must
	 * be evaluated after authentication.
	 * @return whether the principal is required
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
