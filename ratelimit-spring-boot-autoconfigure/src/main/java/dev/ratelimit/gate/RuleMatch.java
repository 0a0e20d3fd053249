package dev.ratelimit.gate;

import java.util.Optional;

/**
 * Internal: a rule that applies to a call, and how it matched.
 *
 * @param <C> the calls of a front
 */
public interface RuleMatch<C extends Call> {

	/**
	 * The rule.
	 * @return the rule, made ready for calls of the front
	 */
	GateRule<C> rule();

	/**
	 * What the rule matched by, which the key {@code route} is.
	 * @return such as a path pattern; empty if the front has no routes
	 */
	default String route() {
		return "";
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
