package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of one limit: functions of a bucket's state, a cost and a time, in whole
 * numbers. A bucket never touched has the state {@link #EMPTY}. A state is never shared:
 * during a charge, the calling thread owns it. What is to be known of a state for one
 * charge are the few numbers that a {@link #look look} gives, from which all else
 * follows; the Lua twin replies the same. Times are milliseconds since
 * {@link #EPOCH_SECONDS}. Immutable and thread-safe.
 * <p>
 * All numbers stay below 2^53, so that Lua counts the same.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public interface LimitCalculator {

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
	 * The maximum time after which a bucket that is not settled beyond its capacity has
	 * nothing to remember, rounded up.
	 * @return milliseconds from empty to full
	 */
	long fillMillis();

	/**
	 * What gives a state its meaning. Limits of one algorithm with the same meaning can
	 * read each other's states.
	 * @return the meaning as text
	 */
	String meaning();

	/**
	 * What the exact numbers are, where they differ from what was requested.
	 * @return a remark for the log, if there is one
	 */
	default Optional<String> precisionNote() {
		return Optional.empty();
	}

	/**
	 * The numbers that the Lua twin needs, in its order.
	 * @param nowMillis the time of this instance, which only selects the bounds of
	 * calendar periods
	 * @return the numbers; the same array as long as they do not change
	 */
	long[] luaArguments(long nowMillis);

	/**
	 * Whether units may be taken ahead of need, to be spent later: they must be worth as
	 * much then as when they were taken.
	 * @return whether units can be leased
	 */
	default boolean supportsLeasing() {
		return false;
	}

	/**
	 * How long units that are taken now count for the window that is now.
	 * @param seen what was seen
	 * @param nowMillis the time
	 * @return milliseconds until the window closes; very many where there are no windows
	 */
	default long openMillis(long[] seen, long nowMillis) {
		return Long.MAX_VALUE;
	}

	/**
	 * When the window closes that an empty bucket begins.
	 * @param takenMillis when units are taken of it
	 * @return the time; {@link Long#MAX_VALUE} where there are no windows
	 */
	default long closesMillis(long takenMillis) {
		return Long.MAX_VALUE;
	}

	/**
	 * How long units count that are taken of an empty bucket.
	 * @param takenMillis when they are taken
	 * @return milliseconds until they are forgotten, or would be back in a full bucket
	 */
	default long countsMillis(long takenMillis) {
		return fillMillis();
	}

	/**
	 * How many numbers make up a state that is not empty. States that are always as many
	 * numbers can be kept together with those of other limits; 0 in all of them is an
	 * empty one.
	 * @return the count, at most 3; 0 if there are not always as many
	 */
	default int stateLength() {
		return 0;
	}

	/**
	 * The largest number that a state can have.
	 * @return the number
	 */
	default long largestNumber() {
		return Requirements.EXACT;
	}

	/**
	 * Cut what a state says of the future to what it can say at most, which is more only
	 * if the clock was set back: whatever the clock did, a wait is no longer than the
	 * limit says. Nothing is added to what is left. What is cut must be kept also if
	 * nothing is taken, since it depends on the time: otherwise the wait would begin anew
	 * with each look.
	 * @param state the bucket's state, which may be changed in place
	 * @param nowMillis the time
	 * @return the state, which may be the same array
	 */
	default long[] cut(long[] state, long nowMillis) {
		return state;
	}

	/**
	 * How many numbers a look gives.
	 * @return the count, always the same
	 */
	int width();

	/**
	 * What is to be known of a state to decide on a charge.
	 * @param state the bucket's state, left as it is
	 * @param cost units, at least 0
	 * @param nowMillis the time
	 * @return what is seen; may be the state itself
	 */
	long[] look(long[] state, long cost, long nowMillis);

	/**
	 * Whether a cost fits. A cost of 0 always does.
	 * @param seen what was seen, for this cost
	 * @param cost units, at least 0
	 * @param nowMillis the time
	 * @return whether it fits
	 */
	boolean fits(long[] seen, long cost, long nowMillis);

	/**
	 * What to report of a bucket.
	 * @param seen what was seen before the charge, for this cost
	 * @param cost units requested, at least 0
	 * @param charged whether they were taken
	 * @param nowMillis the time
	 * @return the reading
	 */
	BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis);

	/**
	 * What is seen for a larger cost than was looked for. If the state is too old to be
	 * exact, the wait that follows is long enough rather than too short.
	 * @param seen what was seen
	 * @param cost units, more than were looked for
	 * @return what is seen for this cost
	 */
	default long[] seenForMore(long[] seen, long cost) {
		return seen;
	}

	/**
	 * What is seen for one unit right after a charge that left nothing.
	 * @param seen what was seen before the charge; left as it is
	 * @param cost units that were charged, at least 1
	 * @param nowMillis the time of the charge
	 * @return what is seen
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
	 * @param units what to add to the charge; negative to refund
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	long[] settle(long[] state, long takenAtMillis, long units, long nowMillis);

	/**
	 * Charge a request that was allowed earlier without this state, with a debt of at
	 * most one capacity. The charge counts as of the earlier time: units that have
	 * refilled since are not charged. By default, no unit has: slots do not refill.
	 * @param state the bucket's state, which may be changed in place
	 * @param takenAtMillis when the request was allowed
	 * @param units how many, at least 1
	 * @param nowMillis the time
	 * @return the new state, which may be the same array
	 */
	default long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
		return settle(state, nowMillis, units, nowMillis);
	}

	/**
	 * This arithmetic, where what is taken belongs to one of several instances.
	 * @param holder the instance, from 0 to 2^53
	 * @return the arithmetic; the same if the algorithm has no slots
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
	 * Whether a state knows units of the instance.
	 * @param state the bucket's state
	 * @return whether the instance holds any, as far as the state says
	 */
	default boolean holds(long[] state) {
		return false;
	}

	/**
	 * The wait until a state is as good as {@link #EMPTY}.
	 * @param state the bucket's state
	 * @param nowMillis the time
	 * @return milliseconds, at least 0
	 */
	long fullInMillis(long[] state, long nowMillis);

}
