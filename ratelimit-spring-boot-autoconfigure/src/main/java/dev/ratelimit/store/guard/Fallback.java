package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;

/**
 * Decides requests in place of the store. A bucket that is known to be exhausted stays
 * exhausted, and for each other charge, the failure policy of its rule applies. Open
 * rules are counted here with their full limits, and local rules with this instance's
 * share. A request is allowed only if all of its charges are allowed. Thread-safe.
 */
final class Fallback {

	private final ExhaustedBuckets exhausted;

	private final LocalBuckets buckets;

	private final StoreStage local;

	private final long closedMillis;

	/**
	 * Create a fallback.
	 * @param local the store that counts on this instance only and never blocks
	 * @param instances supplies the number of instances that share the limits
	 * @param closedMillis the retry-after of a request that a closed rule rejected
	 * @param time the time
	 */
	Fallback(StoreStage local, IntSupplier instances, long closedMillis, Time time) {
		this.local = local;
		this.buckets = new LocalBuckets(instances, time);
		this.closedMillis = closedMillis;
		this.exhausted = new ExhaustedBuckets(time);
	}

	/**
	 * Remember the exhausted buckets of a result of the store.
	 * @param result the result
	 */
	void record(AcquireResult result) {
		this.exhausted.record(result);
	}

	/**
	 * Decide a request immediately.
	 * @param request the request
	 * @return the result
	 */
	AcquireResult result(AcquireRequest request) {
		List<Integer> certain = new ArrayList<>(request.charges().size());
		List<Integer> counted = new ArrayList<>(request.charges().size());
		List<Verdict> verdicts = new ArrayList<>(request.charges().size());
		boolean rejected = false;
		for (int i = 0; i < request.charges().size(); i++) {
			Optional<Verdict> verdict = uncounted(request.charges().get(i));
			((verdict.isPresent()) ? certain : counted).add(i);
			verdict.ifPresent(verdicts::add);
			rejected |= verdict.isPresent() && !verdict.get().outcome().passes();
		}
		List<AcquireResultPart> parts = new ArrayList<>(2);
		if (!certain.isEmpty()) {
			parts.add(part(certain, AcquireResult.of(part(request, certain), !rejected, Source.FALLBACK, 0, verdicts)));
		}
		if (!counted.isEmpty()) {
			parts.add(part(counted, (rejected) ? skipped(part(request, counted)) : count(request, counted)));
		}
		boolean allowed = parts.stream().allMatch((part) -> part.result().allowed());
		return CombinedResult.of(request, allowed, false, parts);
	}

	// The verdict on a charge that is not counted here.
	private Optional<Verdict> uncounted(Charge charge) {
		Optional<Verdict> exhausted = this.exhausted.verdict(charge);
		if (exhausted.isPresent() || charge.failure() != FailurePolicy.CLOSED) {
			return exhausted;
		}
		return Optional.of((charge.mayReject()) ? unmeasured(charge, Outcome.FAILED_CLOSED, this.closedMillis)
				: unmeasured(charge, Outcome.FAILED_OPEN, 0));
	}

	/**
	 * Forget that buckets are exhausted.
	 * @param settlements corrections of charges on the buckets
	 */
	void forget(List<Settlement> settlements) {
		settlements.forEach((settlement) -> this.exhausted.forget(settlement.bucket()));
	}

	private AcquireResult count(AcquireRequest request, List<Integer> positions) {
		List<Charge> charges = this.buckets.of(part(request, positions).charges());
		boolean replayable = charges.stream().anyMatch(Charge::replayable);
		AcquireRequest share = new AcquireRequest(charges, request.marker().filter((marker) -> replayable),
				request.deadlineNanos());
		return this.local.acquire(share).join().from(Source.FALLBACK);
	}

	/**
	 * Reset the local buckets that replace buckets of the store.
	 * @param buckets the buckets of the store
	 */
	void reset(List<Bucket> buckets) {
		buckets.forEach((bucket) -> {
			this.exhausted.forget(bucket);
			this.local.reset(this.buckets.of(bucket));
		});
	}

	/**
	 * Count the slots that this instance holds, in place of the store.
	 * @param held the number of slots that it holds of each bucket of the store
	 */
	void renew(Map<Bucket, Long> held) {
		Map<Bucket, Long> here = new LinkedHashMap<>();
		held.forEach((bucket, units) -> here.put(LocalBuckets.whole(bucket), units));
		this.local.renew(here);
	}

	/**
	 * Correct the charges that were made here.
	 * @param settlements corrections, also of charges that the store made
	 */
	void settle(List<Settlement> settlements) {
		forget(settlements);
		List<Settlement> here = settlements.stream().filter(Fallback::isLocal).toList();
		if (!here.isEmpty()) {
			this.local.settle(here);
		}
	}

	private static boolean isLocal(Settlement settlement) {
		return settlement.bucket().isFallback();
	}

	/**
	 * Refund the local charges of a result.
	 * @param result a result of this fallback
	 */
	void release(AcquireResult result) {
		if (result instanceof CombinedResult combined) {
			combined.parts()
				.stream()
				.map(AcquireResultPart::result)
				.filter(AcquireResult::changed)
				.forEach(this.local::release);
		}
	}

	private static AcquireResult skipped(AcquireRequest part) {
		List<Verdict> verdicts = part.charges()
			.stream()
			.map((charge) -> unmeasured(charge, Outcome.SKIPPED, 0))
			.toList();
		return AcquireResult.of(part, true, Source.FALLBACK, 0, verdicts);
	}

	private static AcquireRequest part(AcquireRequest request, List<Integer> positions) {
		return request.with(positions.stream().map(request.charges()::get).toList());
	}

	private static AcquireResultPart part(List<Integer> positions, AcquireResult result) {
		return new AcquireResultPart(result, positions.stream().mapToInt(Integer::intValue).toArray());
	}

	private static Verdict unmeasured(Charge charge, Outcome outcome, long retryAfterMillis) {
		return Verdict.unmeasured(charge.bucket().family().policy(), outcome, charge.cost(), retryAfterMillis);
	}

}
