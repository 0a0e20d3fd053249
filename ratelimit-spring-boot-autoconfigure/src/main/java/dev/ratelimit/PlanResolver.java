package dev.ratelimit;

import java.util.Optional;

/**
 * Finds the plan of a caller, which chooses the numbers of rules that have {@code plans}.
 * Must be thread-safe and must not block. A single bean of this type goes before
 * {@code ratelimit.plan}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PlanResolver {

	/**
	 * The plan of the caller of a request.
	 * @param request the request
	 * @return the plan; if empty, or unknown to a rule, the rule's own numbers apply
	 */
	Optional<String> plan(RequestView request);

	/**
	 * Whether the principal is looked at, so that rules with plans must be decided after
	 * authentication.
	 * @return whether the principal is needed
	 */
	default boolean needsPrincipal() {
		return true;
	}

}
