package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request to a store: one verdict per charge. Immutable. Two results are
 * equal if they have the same content, even if one of them is combined from others.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public abstract sealed class AcquireResult permits SingleResult, CombinedResult {

	private final AcquireRequest request;

	private final boolean allowed;

	private final ReplayState replay;

	private final Source source;

	private final long atMillis;

	private final List<Verdict> verdicts;

	AcquireResult(AcquireRequest request, boolean allowed, ReplayState replay, Source source, long atMillis,
			List<Verdict> verdicts) {
		this.request = request;
		this.allowed = allowed;
		this.replay = replay;
		this.source = source;
		this.atMillis = atMillis;
		this.verdicts = verdicts;
	}

	/**
	 * Create a result with verdicts that follow from the numbers seen of the buckets.
	 * @param request the request
	 * @param seen the numbers seen of each charge's bucket before the decision; not
	 * copied, and must not change
	 * @param allowed whether the request is allowed
	 * @param replay the state of its replay marker
	 * @param source the source of the result
	 * @param nowMillis the time of the decision
	 * @return the result
	 */
	public static AcquireResult of(AcquireRequest request, long[][] seen, boolean allowed, ReplayState replay,
			Source source, long nowMillis) {
		return new SingleResult(request, seen, allowed, replay, source, nowMillis);
	}

	/**
	 * Create a result with the given verdicts.
	 * @param request the request
	 * @param allowed whether the request is allowed
	 * @param source the source of the result
	 * @param atMillis the time of the decision; 0 if no store was called
	 * @param verdicts one verdict per charge, in the order of the charges
	 * @return the result
	 */
	public static AcquireResult of(AcquireRequest request, boolean allowed, Source source, long atMillis,
			List<Verdict> verdicts) {
		return new SingleResult(request, allowed, source, atMillis, verdicts);
	}

	/**
	 * Return the request with the charges that the verdicts evaluate.
	 * @return the request
	 */
	public AcquireRequest request() {
		return this.request;
	}

	/**
	 * Whether the request is allowed.
	 * @return whether it is allowed
	 */
	public boolean allowed() {
		return this.allowed;
	}

	/**
	 * The state of the replay marker.
	 * @return the state
	 */
	public ReplayState replay() {
		return this.replay;
	}

	/**
	 * Whether this is a retry of a request that was charged.
	 * @return whether the replay marker was known
	 */
	public boolean replayed() {
		return this.replay.replayed();
	}

	/**
	 * The source of the result.
	 * @return the source
	 */
	public Source source() {
		return this.source;
	}

	/**
	 * The time of the decision, by the clock of the store.
	 * @return the time in milliseconds; 0 if no store was called
	 */
	public long atMillis() {
		return this.atMillis;
	}

	/**
	 * One verdict per charge.
	 * @return the verdicts, in the order of the charges
	 */
	public List<Verdict> verdicts() {
		return this.verdicts;
	}

	/**
	 * Return the result of one charge.
	 * @param index the number of the charge
	 * @return the result of the charge
	 */
	public abstract ChargeResult charge(int index);

	/**
	 * Whether a charge was taken. Does not create a {@link #charge(int) ChargeResult}.
	 * @param index the number of the charge
	 * @return whether there is something to refund
	 */
	public boolean taken(int index) {
		Verdict verdict = this.verdicts.get(index);
		return this.allowed && verdict.outcome() == Outcome.ALLOWED && verdict.cost() > 0;
	}

	/**
	 * Whether anything was changed: a charge taken, a marker set, or a replay counted.
	 * @return whether there is something to undo
	 */
	public boolean changed() {
		boolean changed = this.allowed && this.replay != ReplayState.NONE;
		for (int i = 0; !changed && i < this.verdicts.size(); i++) {
			changed = charged(i) > 0;
		}
		return changed;
	}

	/**
	 * Return the corrections that refund all charges.
	 * @return one correction for each charge that was taken
	 */
	public List<Settlement> refunds() {
		List<Settlement> refunds = new ArrayList<>(this.verdicts.size());
		for (int i = 0; i < this.verdicts.size(); i++) {
			if (charged(i) > 0) {
				refunds.add(charge(i).settlement(-charged(i)));
			}
		}
		return refunds;
	}

	/**
	 * Return the corrections that refund the charges that replays are not charged for, or
	 * all other charges.
	 * @param marked whether the charges have a replay marker
	 * @return one correction for each such charge that was taken
	 */
	public List<Settlement> refunds(boolean marked) {
		List<Settlement> refunds = new ArrayList<>(this.verdicts.size());
		for (int i = 0; i < this.verdicts.size(); i++) {
			if (charged(i) > 0 && charge(i).marked() == marked) {
				refunds.add(charge(i).settlement(-charged(i)));
			}
		}
		return refunds;
	}

	/**
	 * Return the units that a charge took, including leased units.
	 * @param index the number of the charge
	 * @return the units; 0 if there is nothing to refund
	 */
	public long charged(int index) {
		return (this.allowed) ? leased(index) + ((taken(index)) ? this.verdicts.get(index).cost() : 0) : 0;
	}

	abstract long leased(int index);

	/**
	 * Return the result to release in order to refund some units of each charge, and to
	 * remove the replay marker that was set. A replay that was counted stays counted.
	 * @param units how many units of each charge to refund
	 * @return the result to release
	 */
	public abstract AcquireResult returning(long[] units);

	/**
	 * Return this result after all its charges were refunded, because another part of the
	 * request was rejected.
	 * @return the result, not allowed
	 */
	public abstract AcquireResult withdrawn();

	/**
	 * Return this result with leased units.
	 * @param units the units leased for each charge beyond its cost; not copied, and must
	 * not change
	 * @return the result
	 */
	public abstract AcquireResult leasing(long[] units);

	/**
	 * Return this result without leased units, because they are accounted for elsewhere.
	 * @return the result
	 */
	public abstract AcquireResult withoutLeases();

	/**
	 * Return this result with another state of the replay marker.
	 * @param other the state
	 * @return the result
	 */
	public abstract AcquireResult with(ReplayState other);

	/**
	 * Return this result from another source.
	 * @param other the source
	 * @return the result
	 */
	public abstract AcquireResult from(Source other);

	@Override
	public final boolean equals(@Nullable Object other) {
		return this == other || (other instanceof AcquireResult that && this.allowed == that.allowed
				&& this.replay == that.replay && this.source == that.source && this.atMillis == that.atMillis
				&& this.verdicts.equals(that.verdicts));
	}

	@Override
	public final int hashCode() {
		return Objects.hash(this.allowed, this.replay, this.source, this.atMillis, this.verdicts);
	}

	@Override
	public final String toString() {
		return "AcquireResult[allowed=" + this.allowed + ", replay=" + this.replay + ", source=" + this.source
				+ ", atMillis=" + this.atMillis + ", verdicts=" + this.verdicts + "]";
	}

}
