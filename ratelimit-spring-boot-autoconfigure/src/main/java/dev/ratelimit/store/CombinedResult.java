package dev.ratelimit.store;

import java.util.List;
import java.util.function.UnaryOperator;

import dev.ratelimit.Source;
import dev.ratelimit.Verdict;

/**
 * Internal: a result that is combined from the results of parts of a request, each with
 * some of its charges.
 */
public final class CombinedResult extends AcquireResult {

	private final List<AcquireResultPart> parts;

	private CombinedResult(AcquireRequest request, boolean allowed, ReplayState replay, Source source, long atMillis,
			List<Verdict> verdicts, List<AcquireResultPart> parts) {
		super(request, allowed, replay, source, atMillis, verdicts);
		this.parts = parts;
	}

	/**
	 * Combine results.
	 * @param request the whole request
	 * @param allowed whether the whole request is allowed
	 * @param replayed whether the replay markers of all parts were known
	 * @param parts the parts, which contain each charge once
	 * @return the result for the whole request
	 */
	public static AcquireResult of(AcquireRequest request, boolean allowed, boolean replayed,
			List<AcquireResultPart> parts) {
		Source source = Source.LOCAL;
		for (AcquireResultPart part : parts) {
			source = least(source, part.result().source());
		}
		return new CombinedResult(request, allowed, (replayed) ? ReplayState.KNOWN : ReplayState.NONE, source,
				parts.get(0).result().atMillis(), verdicts(request, parts), parts);
	}

	private static List<Verdict> verdicts(AcquireRequest request, List<AcquireResultPart> parts) {
		Verdict[] verdicts = new Verdict[request.charges().size()];
		for (AcquireResultPart part : parts) {
			for (int i = 0; i < part.positions().length; i++) {
				verdicts[part.positions()[i]] = part.result().verdicts().get(i);
			}
		}
		return List.of(verdicts);
	}

	// The least reliable source.
	private static Source least(Source one, Source other) {
		if (one == Source.FALLBACK || other == Source.FALLBACK) {
			return Source.FALLBACK;
		}
		return (one == Source.REMOTE) ? one : other;
	}

	/**
	 * Return the results that this result combines.
	 * @return the parts, at least one
	 */
	public List<AcquireResultPart> parts() {
		return this.parts;
	}

	@Override
	public ChargeResult charge(int index) {
		AcquireResultPart part = part(index);
		return part.result().charge(part.positionOf(index));
	}

	@Override
	long leased(int index) {
		AcquireResultPart part = part(index);
		return part.result().leased(part.positionOf(index));
	}

	private AcquireResultPart part(int index) {
		for (AcquireResultPart part : this.parts) {
			if (part.positionOf(index) >= 0) {
				return part;
			}
		}
		throw new IndexOutOfBoundsException("no part has charge " + index);
	}

	@Override
	public AcquireResult returning(long[] units) {
		return new CombinedResult(request(), allowed(), replay().withoutReplay(), source(), atMillis(),
				SingleResult.costing(verdicts(), units), map((part) -> part.returning(units)));
	}

	@Override
	public AcquireResult withdrawn() {
		return (allowed()) ? copy(false, replay(), source(), this.parts) : this;
	}

	@Override
	public AcquireResult leasing(long[] units) {
		return copy(allowed(), replay(), source(), map((part) -> part.leasing(units)));
	}

	@Override
	public AcquireResult withoutLeases() {
		return copy(allowed(), replay(), source(), map(AcquireResultPart::withoutLeases));
	}

	@Override
	public AcquireResult with(ReplayState other) {
		return copy(allowed(), other, source(), this.parts);
	}

	@Override
	public AcquireResult from(Source other) {
		return copy(allowed(), replay(), other, this.parts);
	}

	private List<AcquireResultPart> map(UnaryOperator<AcquireResultPart> change) {
		return this.parts.stream().map(change).toList();
	}

	private AcquireResult copy(boolean allowed, ReplayState replay, Source source, List<AcquireResultPart> parts) {
		return new CombinedResult(request(), allowed, replay, source, atMillis(), verdicts(), parts);
	}

}
