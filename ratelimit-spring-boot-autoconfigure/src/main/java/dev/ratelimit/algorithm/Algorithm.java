package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * A way of counting. Its twin in Lua is {@code META-INF/ratelimit/lua/<script>.lua}.
 * Stateless.
 *
 * @since 0.1.0
 */
public interface Algorithm {

	/**
	 * The id in configuration, such as {@code token-bucket}.
	 * @return the id
	 */
	String id();

	/**
	 * The name of its twin in Lua.
	 * @return the id, or that of another algorithm that counts the same
	 */
	default String script() {
		return id();
	}

	/**
	 * What it counts.
	 * @return the unit
	 */
	default Policy.Unit unit() {
		return Policy.Unit.REQUESTS;
	}

	/**
	 * Works out the numbers of a limit, once, at start-up.
	 * @param limit the limit
	 * @return its arithmetic
	 * @throws IllegalArgumentException if the limit cannot be counted exactly; the
	 * message says why and what to change
	 */
	Arithmetic arithmetic(Limit limit);

}
