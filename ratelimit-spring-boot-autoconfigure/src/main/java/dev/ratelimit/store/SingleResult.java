package dev.ratelimit.store;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Source;
import dev.ratelimit.Verdict;

/**
 * The result of one store, which decided on all charges of a request.
 */
final class SingleResult extends AcquireResult {

	private static final long[][] NOTHING_SEEN = {};

	private static final long[] NOTHING_LENT = {};

	/** What was seen of each charge's bucket, or none. */
	private final long[][] seen;

	/** What was leased for each charge beyond its cost, or none. */
	private final long[] lent;

	private SingleResult(AcquireRequest request, boolean admitted, ReplayState replay, Source source, long atMillis,
			List<Verdict> verdicts, long[][] seen, long[] lent) {
		super(request, admitted, replay, source, atMillis, verdicts);
		this.seen = seen;
		this.lent = lent;
	}

	SingleResult(AcquireRequest request, long[][] seen, boolean admitted, ReplayState replay, Source source,
			long nowMillis) {
		this(request, admitted, replay, source, nowMillis,
				verdicts(request, seen, admitted, replay.replayed(), nowMillis), seen, NOTHING_LENT);
	}

	SingleResult(AcquireRequest request, boolean admitted, Source source, long atMillis, List<Verdict> verdicts) {
		this(request, admitted, ReplayState.NONE, source, atMillis, verdicts, NOTHING_SEEN, NOTHING_LENT);
	}

	private static List<Verdict> verdicts(AcquireRequest request, long[][] seen, boolean admitted, boolean replayed,
			long nowMillis) {
		List<Charge> charges = request.charges();
		if (charges.size() == 1) {
			return List.of(charges.get(0).verdict(seen[0], admitted, replayed, nowMillis));
		}
		Verdict[] verdicts = new Verdict[charges.size()];
		for (int i = 0; i < seen.length; i++) {
			verdicts[i] = charges.get(i).verdict(seen[i], admitted, replayed, nowMillis);
		}
		return List.of(verdicts);
	}

	/**
	 * Verdicts with other costs.
	 * @param verdicts the verdicts
	 * @param units the cost of each
	 * @return the verdicts, otherwise the same
	 */
	static List<Verdict> costing(List<Verdict> verdicts, long[] units) {
		Verdict[] costing = new Verdict[units.length];
		for (int i = 0; i < units.length; i++) {
			costing[i] = costing(verdicts.get(i), units[i]);
		}
		return List.of(costing);
	}

	private static Verdict costing(Verdict verdict, long units) {
		return new Verdict(verdict.policy(), verdict.outcome(), units, verdict.remaining(), verdict.retryAfterMillis(),
				verdict.resetAfterMillis(), verdict.nextUnitMillis(), verdict.delayMillis());
	}

	@Override
	public ChargeResult charge(int index) {
		Charge charge = request().charges().get(index);
		return new ChargeResult(charge.bucket(), source(), atMillis(),
				(this.seen.length > 0) ? Optional.of(this.seen[index]) : Optional.empty(), lent(index),
				replay() == ReplayState.MARKED && charge.replayable());
	}

	@Override
	long lent(int index) {
		return (this.lent.length > 0) ? this.lent[index] : 0;
	}

	@Override
	public AcquireResult returning(long[] units) {
		return copy(admitted(), replay().withoutReplay(), source(), costing(verdicts(), units), NOTHING_LENT);
	}

	@Override
	public AcquireResult withdrawn() {
		if (!admitted()) {
			return this;
		}
		List<Verdict> before = (this.seen.length > 0) ? verdicts(request(), this.seen, false, replayed(), atMillis())
				: verdicts();
		return copy(false, replay(), source(), before, NOTHING_LENT);
	}

	@Override
	public AcquireResult lending(long[] units) {
		return copy(admitted(), replay(), source(), verdicts(), units);
	}

	@Override
	public AcquireResult withoutLoans() {
		return (this.lent.length > 0) ? lending(NOTHING_LENT) : this;
	}

	@Override
	public AcquireResult with(ReplayState other) {
		return copy(admitted(), other, source(), verdicts(), this.lent);
	}

	@Override
	public AcquireResult from(Source other) {
		return copy(admitted(), replay(), other, verdicts(), this.lent);
	}

	private AcquireResult copy(boolean admitted, ReplayState replay, Source source, List<Verdict> verdicts,
			long[] lent) {
		return new SingleResult(request(), admitted, replay, source, atMillis(), verdicts, this.seen, lent);
	}

}
