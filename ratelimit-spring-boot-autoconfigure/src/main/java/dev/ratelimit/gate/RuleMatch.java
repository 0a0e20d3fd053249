package dev.ratelimit.gate;

/**
 * Internal: a rule that applies to a call, and how it matched.
 *
 * @param <C> the calls of a front
 */
public interface RuleMatch<C extends Call> extends Route {

	/**
	 * The rule.
	 * @return the rule, made ready for calls of the front
	 */
	GateRule<C> rule();

	/**
	 * Whether the rule may charge a call again, because the call has another route now.
	 * @return whether the subject depends on the route
	 */
	default boolean dependsOnRoute() {
		return false;
	}

}
