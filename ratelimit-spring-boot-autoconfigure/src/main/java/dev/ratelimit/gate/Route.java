package dev.ratelimit.gate;

import java.util.Optional;

/**
 * Internal: the route by which a rule matched a call.
 */
public interface Route {

	/**
	 * Return the route, which is the value of the key {@code route}.
	 * @return the route, such as a path pattern; empty if the front has no routes
	 */
	default String route() {
		return "";
	}

	/**
	 * Return the number of requests that the call counts as, such as one for each field
	 * of a GraphQL operation.
	 * @return the number, at least 0
	 */
	default long weight() {
		return 1;
	}

	/**
	 * Return a variable of the route.
	 * @param name the variable's name
	 * @return its value, if the route has it
	 */
	default Optional<String> variable(String name) {
		return Optional.empty();
	}

}
