package dev.ratelimit.gate;

import dev.ratelimit.engine.CompiledLimits;

/**
 * Internal: the cost of a call under one rule.
 *
 * @param <C> the calls of a front
 */
@FunctionalInterface
public interface CostFunction<C extends Call> {

	/**
	 * The cost.
	 * @param call the call
	 * @param route the route by which the rule matched
	 * @param limits the limits that apply to the client
	 * @return units, at least 0
	 */
	long cost(C call, Route route, CompiledLimits limits);

}
