package dev.ratelimit.algorithm;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;

/**
 * An algorithm that counts units. Its Lua implementation is
 * {@code META-INF/ratelimit/lua/<script>.lua}. Stateless.
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
	 * Return the name of its Lua implementation.
	 * @return the id, or the id of another algorithm that counts in the same way
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
	 * Whether the units of a bucket refill one by one, at even intervals.
	 * @return whether the wait for several units follows from the limit alone
	 */
	default boolean refillsEvenly() {
		return false;
	}

	/**
	 * Whether a request that fits may be held until its turn.
	 * @return whether a charge may have a delay
	 */
	default boolean holdsRequests() {
		return false;
	}

	/**
	 * Whether a bucket that is not exhausted may allow more units than it has.
	 * @return whether limits may have a credit
	 */
	default boolean givesCredit() {
		return false;
	}

	/**
	 * Whether periods may follow a calendar.
	 * @return whether limits may have a zone
	 */
	default boolean followsCalendar() {
		return false;
	}

	/**
	 * Whether concurrent requests are counted instead of units per period.
	 * @return whether limits have a lease instead of a period
	 */
	default boolean countsConcurrentRequests() {
		return unit() == Policy.Unit.CONCURRENT_REQUESTS;
	}

	/**
	 * Create the calculator of a limit. Called once, at startup.
	 * @param limit the limit
	 * @return the calculator
	 * @throws IllegalArgumentException if the limit cannot be counted exactly; the
	 * message contains the reason and the fix
	 */
	LimitCalculator calculator(Limit limit);

}
