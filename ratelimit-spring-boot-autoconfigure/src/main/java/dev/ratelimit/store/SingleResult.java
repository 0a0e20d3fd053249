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

	private static final long[] NOTHING_LEASED = {};

	/** The numbers seen of each charge's bucket, or none. */
	private final long[][] seen;

	/** The units leased for each charge beyond its cost, or none. */
	private final long[] leased;

	private SingleResult(AcquireRequest request, boolean allowed, ReplayState replay, Source source, long atMillis,
			List<Verdict> verdicts, long[][] seen, long[] leased) {
		super(request, allowed, replay, source, atMillis, verdicts);
		this.seen = seen;
		this.leased = leased;
	}

	SingleResult(AcquireRequest request, long[][] seen, boolean allowed, ReplayState replay, Source source,
			long nowMillis) {
		this(request, allowed, replay, source, nowMillis,
				verdicts(request, seen, allowed, replay.replayed(), nowMillis), seen, NOTHING_LEASED);
	}

	SingleResult(AcquireRequest request, boolean allowed, Source source, long atMillis, List<Verdict> verdicts) {
		this(request, allowed, ReplayState.NONE, source, atMillis, verdicts, NOTHING_SEEN, NOTHING_LEASED);
	}

	private static List<Verdict> verdicts(AcquireRequest request, long[][] seen, boolean allowed, boolean replayed,
			long nowMillis) {
		List<Charge> charges = request.charges();
		if (charges.size() == 1) {
			return List.of(charges.get(0).verdict(seen[0], allowed, replayed, nowMillis));
		}
		Verdict[] verdicts = new Verdict[charges.size()];
		for (int i = 0; i < seen.length; i++) {
			verdicts[i] = charges.get(i).verdict(seen[i], allowed, replayed, nowMillis);
		}
		return List.of(verdicts);
	}

	/**
	 * Return the verdicts with other costs.
	 * @param verdicts the verdicts
	 * @param units the cost of each
	 * @return the verdicts, otherwise unchanged
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
				(this.seen.length > 0) ? Optional.of(this.seen[index]) : Optional.empty(), leased(index),
				replay() == ReplayState.MARKED && charge.replayable());
	}

	@Override
	long leased(int index) {
		return (this.leased.length > 0) ? this.leased[index] : 0;
	}

	@Override
	public AcquireResult returning(long[] units) {
		return copy(allowed(), replay().withoutReplay(), source(), costing(verdicts(), units), NOTHING_LEASED);
	}

	@Override
	public AcquireResult withdrawn() {
		if (!allowed()) {
			return this;
		}
		List<Verdict> before = (this.seen.length > 0) ? verdicts(request(), this.seen, false, replayed(), atMillis())
				: verdicts();
		return copy(false, replay(), source(), before, NOTHING_LEASED);
	}

	@Override
	public AcquireResult leasing(long[] units) {
		return copy(allowed(), replay(), source(), verdicts(), units);
	}

	@Override
	public AcquireResult withoutLeases() {
		return (this.leased.length > 0) ? leasing(NOTHING_LEASED) : this;
	}

	@Override
	public AcquireResult with(ReplayState other) {
		return copy(allowed(), other, source(), verdicts(), this.leased);
	}

	@Override
	public AcquireResult from(Source other) {
		return copy(allowed(), replay(), other, verdicts(), this.leased);
	}

	private AcquireResult copy(boolean allowed, ReplayState replay, Source source, List<Verdict> verdicts,
			long[] leased) {
		return new SingleResult(request(), allowed, replay, source, atMillis(), verdicts, this.seen, leased);
	}

}
