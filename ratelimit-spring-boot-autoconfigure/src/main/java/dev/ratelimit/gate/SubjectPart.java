package dev.ratelimit.gate;

import java.util.Optional;

/**
 * Internal: resolves one part of a rule's key.
 *
 * @param <C> the calls of a front
 */
@FunctionalInterface
public interface SubjectPart<C extends Call> {

	/**
	 * Resolve the part.
	 * @param call the call
	 * @param route the route by which the rule matched
	 * @return the part, such as {@code user:alice}; empty if the call lacks it
	 */
	Optional<String> find(C call, Route route);

}
