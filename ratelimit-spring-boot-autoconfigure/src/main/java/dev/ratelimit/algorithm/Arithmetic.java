package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of one limit: pure functions of a bucket's state, a cost and a time, in
 * whole numbers. A state is an array that nobody changes; a bucket never touched has
 * {@link #EMPTY}. Times are milliseconds since {@link #EPOCH_SECONDS}. Immutable and
 * thread-safe.
 * <p>
 * All numbers stay below 2^53, so that Lua counts the same.
 *
 * @since 0.1.0
 */
public interface Arithmetic {

	/** 2025-01-01T00:00:00Z: recent, so that time times refill stays exact in Lua. */
	long EPOCH_SECONDS = 1_735_689_600;

	/** The state of a bucket that holds nothing to remember. */
	long[] EMPTY = {};

	/**
	 * The most units that fit at once.
	 * @return the capacity
	 */
	long capacity();

	/**
	 * Milliseconds from empty to full, rounded up.
	 * @return the fill time
	 */
	long fillMillis();

	/**
	 * What gives a state its meaning. Limits of one algorithm with the same meaning can
	 * read each other's states.
	 * @return the meaning as text
	 */
	String meaning();

	/**
	 * What the exact numbers are, where they differ from what was asked for.
	 * @return a remark for the log, if there is one
	 */
	Optional<String> remark();

	/**
	 * The numbers that the Lua twin needs, in its order.
	 * @return the numbers
	 */
	long[] luaArguments();

	/**
	 * Whether a cost fits. A cost of 0 always does.
	 * @param state the bucket's state
	 * @param cost units, at least 0
	 * @param nowMillis the time
	 * @return whether it fits
	 */
	boolean fits(long[] state, long cost, long nowMillis);

	/**
	 * The state after a charge that fits.
	 * @param state the bucket's state
	 * @param cost units, at least 1
	 * @param nowMillis the time
	 * @return the new state
	 */
	long[] charge(long[] state, long cost, long nowMillis);

	/**
	 * What is to be told of a bucket.
	 * @param state the state before the charge
	 * @param cost units asked for, at least 0
	 * @param charged whether they were taken
	 * @param nowMillis the time
	 * @return the reading
	 */
	Reading read(long[] state, long cost, boolean charged, long nowMillis);

	/**
	 * The wait until a state is as good as {@link #EMPTY}.
	 * @param state the bucket's state
	 * @param nowMillis the time
	 * @return milliseconds, at least 0
	 */
	long fullInMillis(long[] state, long nowMillis);

}
