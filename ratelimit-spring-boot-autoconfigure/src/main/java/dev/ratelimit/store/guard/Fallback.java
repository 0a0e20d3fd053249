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
 * Answers in place of the store: a bucket known to be exhausted stays so, and to each
 * other charge the failure policy of its rule applies. No policy allows a request without
 * counting it: open rules are counted here with their whole numbers, local ones with this
 * instance's share. The request needs all of its charges. Thread-safe.
 */
final class Fallback {

	private final ExhaustedBuckets exhausted;

	private final LocalBuckets buckets;

	private final StoreStage local;

	private final long closedMillis;

	/**
	 * A fallback.
	 * @param local counts by this instance alone; it never waits
	 * @param instances how many instances share the limits
	 * @param closedMillis when it makes sense to retry a request that a closed rule
	 * rejected
	 * @param time the time
	 */
	Fallback(StoreStage local, IntSupplier instances, long closedMillis, Time time) {
		this.local = local;
		this.buckets = new LocalBuckets(instances, time);
		this.closedMillis = closedMillis;
		this.exhausted = new ExhaustedBuckets(time);
	}

	/**
	 * Remember which buckets a result of the store shows to be exhausted.
	 * @param result the result
	 */
	void record(AcquireResult result) {
		this.exhausted.record(result);
	}

	/**
	 * Answer a request at once.
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

	// The verdict on what needs no counting.
	private Optional<Verdict> uncounted(Charge charge) {
		Optional<Verdict> exhausted = this.exhausted.verdict(charge);
		if (exhausted.isPresent() || charge.failure() != FailurePolicy.CLOSED) {
			return exhausted;
		}
		return Optional.of((charge.mayReject()) ? unmeasured(charge, Outcome.FAILED_CLOSED, this.closedMillis)
				: unmeasured(charge, Outcome.FAILED_OPEN, 0));
	}

	/**
	 * Forget which of some buckets are exhausted.
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
	 * Reset the buckets that are counted here in place of the store's.
	 * @param buckets buckets of the store's
	 */
	void reset(List<Bucket> buckets) {
		buckets.forEach((bucket) -> {
			this.exhausted.forget(bucket);
			this.local.reset(this.buckets.of(bucket));
		});
	}

	/**
	 * Count the slots that this instance holds, in place of the store.
	 * @param held how many it holds of each bucket of the store's
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
	 * Refund what a result charged here.
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
