package dev.ratelimit.gate;

/**
 * Internal: a rule that applies to a call, and the route by which it matched.
 *
 * @param <C> the calls of a front
 */
public interface RuleMatch<C extends Call> extends Route {

	/**
	 * The rule.
	 * @return the rule, compiled for the calls of the front
	 */
	GateRule<C> rule();

	/**
	 * Whether the rule may charge a call again after its route has changed.
	 * @return whether the subject depends on the route
	 */
	default boolean dependsOnRoute() {
		return false;
	}

}
