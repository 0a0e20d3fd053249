package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.LimitCalculator;
import org.jspecify.annotations.Nullable;

/**
 * What a store says to a demand. Immutable; equal if it says the same.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public final class AcquireResult {

	private static final long[][] NOTHING_SEEN = {};

	private static final long[] NOTHING_LENT = {};

	private final AcquireRequest demand;

	private final boolean admitted;

	private final Retry retry;

	private final Source source;

	private final long atMillis;

	private final List<Verdict> verdicts;

	/** What was seen of each charge's bucket, where that may be asked for again. */
	private final long[][] seen;

	/** The answers that this one is put together from, if it is. */
	private final List<AcquireResultPart> parts;

	/** What was lent for each charge beyond its cost; none if nothing was borrowed. */
	private final long[] lent;

	private AcquireResult(AcquireRequest demand, boolean admitted, Retry retry, Source source, long atMillis,
			List<Verdict> verdicts, long[][] seen, List<AcquireResultPart> parts, long[] lent) {
		this.demand = demand;
		this.admitted = admitted;
		this.retry = retry;
		this.source = source;
		this.atMillis = atMillis;
		this.verdicts = verdicts;
		this.seen = seen;
		this.parts = parts;
		this.lent = lent;
	}

	/**
	 * The answer that follows from what was seen of the buckets.
	 * @param demand the demand
	 * @param seen what was seen of each charge's bucket before the decision; not copied,
	 * and nobody changes it
	 * @param admitted whether the request was admitted
	 * @param retry what became of its replay marker
	 * @param source who looked
	 * @param nowMillis the time of the decision
	 * @return the answer
	 */
	public static AcquireResult of(AcquireRequest demand, long[][] seen, boolean admitted, Retry retry, Source source,
			long nowMillis) {
		return new AcquireResult(demand, admitted, retry, source, nowMillis,
				verdicts(demand, seen, admitted, retry.replayed(), nowMillis), seen, List.of(), NOTHING_LENT);
	}

	/**
	 * An answer of verdicts that somebody has come to.
	 * @param demand the demand
	 * @param admitted whether the request was admitted
	 * @param source who decided
	 * @param atMillis the time of the decision; 0 if no store looked
	 * @param verdicts one verdict per charge, in the order of the charges
	 * @return the answer
	 */
	public static AcquireResult of(AcquireRequest demand, boolean admitted, Source source, long atMillis,
			List<Verdict> verdicts) {
		return new AcquireResult(demand, admitted, Retry.NONE, source, atMillis, verdicts, NOTHING_SEEN, List.of(),
				NOTHING_LENT);
	}

	/**
	 * The answer that is put together from answers to parts of a demand.
	 * @param demand the whole
	 * @param admitted whether the request was admitted as a whole
	 * @param replayed whether its replay marker was known wherever there is one
	 * @param parts the parts, which have each charge once
	 * @return the answer
	 */
	public static AcquireResult of(AcquireRequest demand, boolean admitted, boolean replayed,
			List<AcquireResultPart> parts) {
		Verdict[] verdicts = new Verdict[demand.charges().size()];
		Source source = Source.LOCAL;
		for (AcquireResultPart part : parts) {
			for (int i = 0; i < part.positions().length; i++) {
				verdicts[part.positions()[i]] = part.answer().verdicts().get(i);
			}
			source = least(source, part.answer().source());
		}
		return new AcquireResult(demand, admitted, (replayed) ? Retry.KNOWN : Retry.NONE, source,
				parts.get(0).answer().atMillis(), List.of(verdicts), NOTHING_SEEN, parts, NOTHING_LENT);
	}

	// What is furthest from a store that knows.
	private static Source least(Source one, Source other) {
		if (one == Source.FALLBACK || other == Source.FALLBACK) {
			return Source.FALLBACK;
		}
		return (one == Source.REMOTE) ? one : other;
	}

	/**
	 * What was asked.
	 * @return the demand, whose charges the verdicts are about
	 */
	public AcquireRequest demand() {
		return this.demand;
	}

	/**
	 * Whether the request may pass.
	 * @return whether it was admitted
	 */
	public boolean admitted() {
		return this.admitted;
	}

	/**
	 * What became of the replay marker.
	 * @return what it was found to be
	 */
	public Retry retry() {
		return this.retry;
	}

	/**
	 * Whether the replay marker was known.
	 * @return whether this is a retry of a request that has paid
	 */
	public boolean replayed() {
		return this.retry.replayed();
	}

	/**
	 * Who answered.
	 * @return the source
	 */
	public Source source() {
		return this.source;
	}

	/**
	 * The store's time of the decision, in milliseconds; 0 if no store looked.
	 * @return the time
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
	 * The answers that this one is put together from.
	 * @return the parts, none if one store has answered for all charges
	 */
	public List<AcquireResultPart> parts() {
		return this.parts;
	}

	/**
	 * The store's time of a charge, by which it can be corrected.
	 * @param charge the number of the charge
	 * @return the time in milliseconds
	 */
	public long takenAtMillis(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().takenAtMillis(position);
			}
		}
		return this.atMillis;
	}

	/**
	 * The bucket that a charge was taken from, which may be another than the one that was
	 * asked for, where another store answered in place of the one that counts.
	 * @param charge the number of the charge
	 * @return the bucket
	 */
	public Bucket bucket(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().bucket(position);
			}
		}
		return this.demand.charges().get(charge).bucket();
	}

	/**
	 * The source of a charge's verdict.
	 * @param charge the number of the charge
	 * @return the source
	 */
	public Source source(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().source(position);
			}
		}
		return this.source;
	}

	/**
	 * Whether a charge was taken.
	 * @param charge the number of the charge
	 * @return whether there is something to give back
	 */
	public boolean taken(int charge) {
		Verdict verdict = this.verdicts.get(charge);
		return this.admitted && verdict.outcome() == Outcome.ALLOWED && verdict.cost() > 0;
	}

	/**
	 * What was seen of a charge's bucket, before the charge.
	 * @param charge the number of the charge
	 * @return what was seen; nothing if nobody looked
	 */
	public long[] seen(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().seen(position);
			}
		}
		return (this.seen.length == 0) ? LimitCalculator.EMPTY : this.seen[charge];
	}

	/**
	 * Whether the answer tells what was seen of a charge's bucket.
	 * @param charge the number of the charge
	 * @return whether {@link #seen} means something
	 */
	public boolean tellsSeen(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().tellsSeen(position);
			}
		}
		return this.seen.length > 0;
	}

	/**
	 * What was lent for a charge beyond its cost.
	 * @param charge the number of the charge
	 * @return units, 0 if none were borrowed
	 */
	public long lent(int charge) {
		if (this.lent.length > 0) {
			return this.lent[charge];
		}
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().lent(position);
			}
		}
		return 0;
	}

	/**
	 * This answer, with what was lent.
	 * @param units units for each charge; not copied, and nobody changes it
	 * @return the answer
	 */
	public AcquireResult lending(long[] units) {
		return new AcquireResult(this.demand, this.admitted, this.retry, this.source, this.atMillis, this.verdicts,
				this.seen, this.parts, units);
	}

	/**
	 * This answer as if nothing had been lent: somebody has the loans, and answers for
	 * them.
	 * @return the answer
	 */
	public AcquireResult withoutLoans() {
		return lending(new long[this.verdicts.size()]);
	}

	private long charged(int charge) {
		return this.admitted ? lent(charge) + ((taken(charge)) ? this.verdicts.get(charge).cost() : 0) : 0;
	}

	/**
	 * Whether anything was changed: a charge taken, a marker set, or a replay counted.
	 * @return whether there is something to take back
	 */
	public boolean changed() {
		return this.admitted && (this.retry != Retry.NONE || takesAny());
	}

	private boolean takesAny() {
		for (int i = 0; i < this.verdicts.size(); i++) {
			if (charged(i) > 0) {
				return true;
			}
		}
		return false;
	}

	/**
	 * What gives back all that was taken.
	 * @return one correction for each charge that was taken
	 */
	public List<Settlement> refunds() {
		List<Settlement> refunds = new ArrayList<>(this.verdicts.size());
		for (int i = 0; i < this.verdicts.size(); i++) {
			if (charged(i) > 0) {
				refunds.add(new Settlement(bucket(i), takenAtMillis(i), -charged(i)));
			}
		}
		return refunds;
	}

	/**
	 * What there is to say once all that was taken is taken back, because another part of
	 * the demand was refused.
	 * @return the answer, not admitted
	 */
	public AcquireResult withdrawn() {
		if (!this.admitted) {
			return this;
		}
		List<Verdict> before = (this.seen.length == 0) ? this.verdicts
				: verdicts(this.demand, this.seen, false, replayed(), this.atMillis);
		return new AcquireResult(this.demand, false, this.retry, this.source, this.atMillis, before, this.seen,
				this.parts, NOTHING_LENT);
	}

	/**
	 * Whether a charge was paid for by this request under a replay marker that it has
	 * set.
	 * @param charge the number of the charge
	 * @return whether a retry would not pay it
	 */
	public boolean marked(int charge) {
		for (AcquireResultPart part : this.parts) {
			int position = part.positionOf(charge);
			if (position >= 0) {
				return part.answer().marked(position);
			}
		}
		return this.retry == Retry.MARKED && this.demand.charges().get(charge).replayable();
	}

	/**
	 * What to release in order to refund some units of each charge, and to forget the
	 * replay marker that was set. A replay that was counted stays counted.
	 * @param units how many units of each charge to refund
	 * @return the answer to release
	 */
	public AcquireResult returning(long[] units) {
		Verdict[] returned = new Verdict[units.length];
		for (int i = 0; i < units.length; i++) {
			returned[i] = costing(this.verdicts.get(i), units[i]);
		}
		List<AcquireResultPart> rest = this.parts.stream().map((part) -> part.returning(units)).toList();
		return new AcquireResult(this.demand, this.admitted, (this.retry == Retry.MARKED) ? Retry.MARKED : Retry.NONE,
				this.source, this.atMillis, List.of(returned), this.seen, rest, NOTHING_LENT);
	}

	/**
	 * This answer, with what became of the replay marker.
	 * @param retry what it was found to be
	 * @return the answer
	 */
	public AcquireResult with(Retry retry) {
		return new AcquireResult(this.demand, this.admitted, retry, this.source, this.atMillis, this.verdicts,
				this.seen, this.parts, this.lent);
	}

	/**
	 * This answer, as given by somebody in another's place.
	 * @param other who
	 * @return the answer
	 */
	public AcquireResult from(Source other) {
		return new AcquireResult(this.demand, this.admitted, this.retry, other, this.atMillis, this.verdicts, this.seen,
				this.parts, this.lent);
	}

	private static Verdict costing(Verdict verdict, long units) {
		return new Verdict(verdict.policy(), verdict.outcome(), units, verdict.remaining(), verdict.retryAfterMillis(),
				verdict.resetAfterMillis(), verdict.nextUnitMillis(), verdict.delayMillis());
	}

	private static List<Verdict> verdicts(AcquireRequest demand, long[][] seen, boolean admitted, boolean replayed,
			long nowMillis) {
		List<Charge> charges = demand.charges();
		if (charges.size() == 1) {
			return List.of(charges.get(0).verdict(seen[0], admitted, replayed, nowMillis));
		}
		Verdict[] verdicts = new Verdict[charges.size()];
		for (int i = 0; i < seen.length; i++) {
			verdicts[i] = charges.get(i).verdict(seen[i], admitted, replayed, nowMillis);
		}
		return List.of(verdicts);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof AcquireResult that && this.admitted == that.admitted
				&& this.retry == that.retry && this.source == that.source && this.atMillis == that.atMillis
				&& this.verdicts.equals(that.verdicts));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.admitted, this.retry, this.source, this.atMillis, this.verdicts);
	}

	@Override
	public String toString() {
		return "Answer[admitted=" + this.admitted + ", retry=" + this.retry + ", source=" + this.source + ", atMillis="
				+ this.atMillis + ", verdicts=" + this.verdicts + "]";
	}

	/**
	 * What a request's replay marker was found to be.
	 */
	public enum Retry {

		/** There is none, or no room to remember it. */
		NONE,

		/** It is new, and remembered from now on if the request was admitted. */
		MARKED,

		/** It was known: the request has paid before. */
		KNOWN;

		/**
		 * Whether the request has paid before.
		 * @return whether it is a replay
		 */
		public boolean replayed() {
			return this == KNOWN;
		}

	}

}
