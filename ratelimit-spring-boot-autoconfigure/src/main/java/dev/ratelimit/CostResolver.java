package dev.ratelimit;

/**
 * Finds what a request costs; named in a rule as {@code cost: bean:name}. Must be
 * thread-safe and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CostResolver {

	/**
	 * The cost of a request.
	 * @param request the request
	 * @return units; below 0 counts as 0, which takes nothing and is always admitted
	 */
	long cost(RequestView request);

	/**
	 * Whether the principal is looked at, so that rules with this cost must be decided
	 * after authentication.
	 * @return whether the principal is needed
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
