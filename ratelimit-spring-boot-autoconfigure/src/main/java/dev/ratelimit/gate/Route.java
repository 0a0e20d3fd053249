package dev.ratelimit.gate;

import java.util.Optional;

/**
 * Internal: what a rule matched a call by.
 */
public interface Route {

	/**
	 * The route itself, which the key {@code route} is.
	 * @return such as a path pattern; empty if the front has no routes
	 */
	default String route() {
		return "";
	}

	/**
	 * How many requests the call counts as, such as one for each field of a GraphQL
	 * operation.
	 * @return the number, at least 0
	 */
	default long weight() {
		return 1;
	}

	/**
	 * A variable of the route.
	 * @param name the variable's name
	 * @return its value, if the route has it
	 */
	default Optional<String> variable(String name) {
		return Optional.empty();
	}

}
