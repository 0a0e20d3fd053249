package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of one limit: functions of a bucket's state, a cost, and a time, in
 * whole numbers. A bucket that was never used has the state {@link #EMPTY}. A state is
 * never shared: during a charge, the calling thread owns it. A charge needs only the few
 * numbers of a state that {@link #look} returns. All other results follow from them, and
 * the Lua implementation returns the same numbers. Times are milliseconds since
 * {@link #EPOCH_SECONDS}. Immutable and thread-safe.
 * <p>
 * All numbers stay below 2^53, so that Lua computes the same results.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public interface LimitCalculator {

	/**
	 * 2025-01-01T00:00:00Z: recent, so that the product of time and refill stays exact in
	 * Lua.
	 */
	long EPOCH_SECONDS = 1_735_689_600;

	/** The state of a bucket that was never used or is full again. */
	long[] EMPTY = {};

	/**
	 * The maximum number of units that fit at once.
	 * @return the capacity
	 */
	long capacity();

	/**
	 * The maximum time until a bucket that is not settled beyond its capacity is full,
	 * rounded up.
	 * @return milliseconds from empty to full
	 */
	long fillMillis();

	/**
	 * Return the meaning of the numbers in a state. Limits of one algorithm with the same
	 * meaning can read each other's states.
	 * @return the meaning as text
	 */
	String meaning();

	/**
	 * Return a remark on the exact numbers, if they differ from the requested ones.
	 * @return a remark for the log, if there is one
	 */
	default Optional<String> precisionNote() {
		return Optional.empty();
	}

	/**
	 * Return the numbers that the Lua implementation needs, in its order.
	 * @param nowMillis the time of this instance, which only selects the bounds of
	 * calendar periods
	 * @return the numbers; the same array as long as they do not change
	 */
	long[] luaArguments(long nowMillis);

	/**
	 * Whether units may be taken ahead of need, to be spent later. They must have the
	 * same effect as if they were taken later.
	 * @return whether units can be leased
	 */
	default boolean supportsLeasing() {
		return false;
	}

	/**
	 * Return the time for which units that are taken now count in the current window.
	 * @param seen the numbers seen
	 * @param nowMillis the time
	 * @return milliseconds until the window closes; {@link Long#MAX_VALUE} if there are
	 * no windows
	 */
	default long openMillis(long[] seen, long nowMillis) {
		return Long.MAX_VALUE;
	}

	/**
	 * Return the time at which the window closes that a charge of a bucket with the state
	 * {@link #EMPTY} begins.
	 * @param takenMillis the time of the charge
	 * @return the time; {@link Long#MAX_VALUE} if there are no windows
	 */
	default long closesMillis(long takenMillis) {
		return Long.MAX_VALUE;
	}

	/**
	 * Return the time for which units count that are taken from a bucket with the state
	 * {@link #EMPTY}.
	 * @param takenMillis the time at which they are taken
	 * @return milliseconds until the units are forgotten or have refilled
	 */
	default long countsMillis(long takenMillis) {
		return fillMillis();
	}

	/**
	 * Return the number of numbers in a state that is not empty. States of a fixed length
	 * can be stored together with those of other limits. Zeros in all of them mean an
	 * empty state.
	 * @return the count, at most 3; 0 if the length varies
	 */
	default int stateLength() {
		return 0;
	}

	/**
	 * Return the largest number that a state can contain.
	 * @return the number
	 */
	default long largestNumber() {
		return Requirements.MAX_EXACT_INTEGER;
	}

	/**
	 * Limit the times in a state to the maximum that the limit allows. They exceed it
	 * only if the clock was set back: even then, no wait is longer than the limit allows.
	 * The remaining units do not increase. The result must be stored even if nothing is
	 * taken, since it depends on the time: otherwise the wait would restart with each
	 * look.
	 * @param state the bucket's state, which may be changed in place
	 * @param nowMillis the time
	 * @return the state, which may be the same array
	 */
	default long[] cut(long[] state, long nowMillis) {
		return state;
	}

	/**
	 * Return the number of numbers that a look returns.
	 * @return the count, always the same
	 */
	int width();

	/**
	 * Return the numbers of a state that are needed to decide on a charge.
	 * @param state the bucket's state, which is not changed
	 * @param cost units, at least 0
	 * @param nowMillis the time
	 * @return the numbers; may be the state itself
	 */
	long[] look(long[] state, long cost, long nowMillis);

	/**
	 * Whether a cost fits. A cost of 0 always fits.
	 * @param seen the numbers seen, for this cost
	 * @param cost units, at least 0
	 * @param nowMillis the time
	 * @return whether it fits
	 */
	boolean fits(long[] seen, long cost, long nowMillis);

	/**
	 * Return a snapshot of a bucket after a decision.
	 * @param seen the numbers seen before the charge, for this cost
	 * @param cost units requested, at least 0
	 * @param charged whether they were taken
	 * @param nowMillis the time
	 * @return the snapshot
	 */
	BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis);

	/**
	 * Return the units that a bucket lacks, with its debt, which a change of the limit
	 * moves.
	 * @param state the bucket's state, which is not changed
	 * @param nowMillis the time
	 * @return the number, rounded up
	 */
	default long usedUnits(long[] state, long nowMillis) {
		return capacity() - read(look(state, 0, nowMillis), 0, false, nowMillis).remaining();
	}

	/**
	 * Return the numbers that a look would return for a larger cost. If the state is too
	 * old to be exact, the wait that follows is too long rather than too short.
	 * @param seen the numbers seen
	 * @param cost units, more than the cost of the look
	 * @return the numbers for this cost
	 */
	default long[] seenForMore(long[] seen, long cost) {
		return seen;
	}

	/**
	 * Return the numbers that a look would return for one unit right after a charge that
	 * left no units.
	 * @param seen the numbers seen before the charge; not changed
	 * @param cost units that were charged, at least 1
	 * @param nowMillis the time of the charge
	 * @return the numbers
	 */
	default long[] seenOnceExhausted(long[] seen, long cost, long nowMillis) {
		return take(seen.clone(), cost, nowMillis);
	}

	/**
	 * Take a cost that fits.
	 * @param state the bucket's state, which may be changed in place
	 * @param cost units, at least 1
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	long[] take(long[] state, long cost, long nowMillis);

	/**
	 * Correct a charge: refund unused units, or charge units beyond it, into debt of at
	 * most one capacity. Units that have refilled since are not refunded.
	 * @param state the bucket's state, which may be changed in place
	 * @param takenAtMillis the time of the charge
	 * @param units the units to add to the charge; negative to refund
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	long[] settle(long[] state, long takenAtMillis, long units, long nowMillis);

	/**
	 * Charge a request that was allowed earlier without this state, with a debt of at
	 * most one capacity. The charge counts as of the earlier time: units that have
	 * refilled since are not charged. By default, no units have refilled, because slots
	 * do not refill.
	 * @param state the bucket's state, which may be changed in place
	 * @param takenAtMillis the time at which the request was allowed
	 * @param units the number of units, at least 1
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	default long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
		return settle(state, nowMillis, units, nowMillis);
	}

	/**
	 * Return this calculator for units that belong to one of several instances.
	 * @param holder the instance, from 0 to 2^53
	 * @return the calculator; this one if the algorithm has no slots
	 */
	default LimitCalculator heldBy(long holder) {
		return this;
	}

	/**
	 * Renew the units of the instance, and set how many it holds.
	 * @param state the bucket's state, which may be changed in place
	 * @param units units that the instance holds, at least 0
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	default long[] hold(long[] state, long units, long nowMillis) {
		return state;
	}

	/**
	 * Whether a state contains units of the instance.
	 * @param state the bucket's state
	 * @return whether the instance holds units according to the state
	 */
	default boolean holds(long[] state) {
		return false;
	}

	/**
	 * Return the wait until a state is equivalent to {@link #EMPTY}.
	 * @param state the bucket's state
	 * @param nowMillis the time
	 * @return milliseconds, at least 0
	 */
	long fullInMillis(long[] state, long nowMillis);

}
