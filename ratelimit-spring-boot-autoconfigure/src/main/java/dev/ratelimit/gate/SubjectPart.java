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
	 * @param route what the rule matched by
	 * @return such as {@code user:alice}, or empty if the call lacks it
	 */
	Optional<String> find(C call, Route route);

}
