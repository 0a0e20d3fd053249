package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * A way of counting. Its twin in Lua is {@code META-INF/ratelimit/lua/<script>.lua}.
 * Stateless.
 * <p>
 * Experimental: may change in any release.
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
	 * Return the unit that it counts.
	 * @return the unit
	 */
	default Policy.Unit unit() {
		return Policy.Unit.REQUESTS;
	}

	/**
	 * Whether the units of a bucket return one by one, at even intervals.
	 * @return whether the wait for several units follows from the limit alone
	 */
	default boolean refillsEvenly() {
		return false;
	}

	/**
	 * Whether a request that fits may be held until its turn comes.
	 * @return whether a charge may come with a delay
	 */
	default boolean holdsRequests() {
		return false;
	}

	/**
	 * Whether a bucket that is not exhausted may grant more units than it holds.
	 * @return whether limits may have a credit
	 */
	default boolean givesCredit() {
		return false;
	}

	/**
	 * Whether periods may begin by a calendar.
	 * @return whether limits may have a zone
	 */
	default boolean followsCalendar() {
		return false;
	}

	/**
	 * Whether concurrent requests are counted instead of units per period.
	 * @return whether limits have a lease in the place of a period
	 */
	default boolean countsConcurrentRequests() {
		return unit() == Policy.Unit.CONCURRENT_REQUESTS;
	}

	/**
	 * Works out the numbers of a limit, once, at start-up.
	 * @param limit the limit
	 * @return its arithmetic
	 * @throws IllegalArgumentException if the limit cannot be counted exactly; the
	 * message contains the reason and the fix
	 */
	LimitCalculator arithmetic(Limit limit);

}
