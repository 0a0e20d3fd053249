package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.LimitStore;

/**
 * Answers in place of the store: a bucket known to be exhausted stays so, and to each
 * other charge the failure policy of its rule applies. No policy allows a request without
 * counting it: open rules are counted here with their whole numbers, local ones with this
 * instance's share. The request needs all of its charges. Thread-safe.
 */
final class Fallback {

	private final ExhaustedBuckets knownEmpty;

	private final LocalBuckets buckets;

	private final LimitStore local;

	private final long closedMillis;

	/**
	 * A fallback.
	 * @param knownEmpty what is known to be empty
	 * @param buckets this instance's buckets in place of the store's
	 * @param local counts them; it never waits
	 * @param closedMillis when it makes sense to ask a closed rule again
	 */
	Fallback(ExhaustedBuckets knownEmpty, LocalBuckets buckets, LimitStore local, long closedMillis) {
		this.knownEmpty = knownEmpty;
		this.buckets = buckets;
		this.local = local;
		this.closedMillis = closedMillis;
	}

	/**
	 * Answer a demand at once.
	 * @param demand the demand
	 * @return the answer
	 */
	AcquireResult answer(AcquireRequest demand) {
		List<Integer> certain = new ArrayList<>(demand.charges().size());
		List<Integer> counted = new ArrayList<>(demand.charges().size());
		List<Verdict> verdicts = new ArrayList<>(demand.charges().size());
		boolean refused = false;
		for (int i = 0; i < demand.charges().size(); i++) {
			Optional<Verdict> verdict = uncounted(demand.charges().get(i));
			((verdict.isPresent()) ? certain : counted).add(i);
			verdict.ifPresent(verdicts::add);
			refused |= verdict.isPresent() && !verdict.get().outcome().passes();
		}
		List<AcquireResultPart> parts = new ArrayList<>(2);
		if (!certain.isEmpty()) {
			parts.add(part(certain, AcquireResult.of(part(demand, certain), !refused, Source.FALLBACK, 0, verdicts)));
		}
		if (!counted.isEmpty()) {
			parts.add(part(counted, (refused) ? skipped(part(demand, counted)) : count(demand, counted)));
		}
		boolean admitted = parts.stream().allMatch((part) -> part.answer().admitted());
		return AcquireResult.of(demand, admitted, false, parts);
	}

	// The verdict on what needs no counting.
	private Optional<Verdict> uncounted(Charge charge) {
		Optional<Verdict> exhausted = this.knownEmpty.verdict(charge);
		if (exhausted.isPresent() || charge.failure() != FailurePolicy.CLOSED) {
			return exhausted;
		}
		return Optional.of((charge.shadow()) ? unmeasured(charge, Outcome.FAILED_OPEN, 0)
				: unmeasured(charge, Outcome.FAILED_CLOSED, this.closedMillis));
	}

	private AcquireResult count(AcquireRequest demand, List<Integer> positions) {
		List<Charge> charges = this.buckets.of(part(demand, positions).charges());
		boolean replayable = charges.stream().anyMatch(Charge::replayable);
		AcquireRequest share = new AcquireRequest(charges, demand.marker().filter((marker) -> replayable),
				demand.deadlineNanos());
		return this.local.acquire(share).join().from(Source.FALLBACK);
	}

	/**
	 * Reset the buckets that are counted here in place of the store's.
	 * @param buckets buckets of the store's
	 */
	void reset(List<Bucket> buckets) {
		buckets.forEach((bucket) -> {
			this.knownEmpty.forget(bucket);
			this.local.reset(this.buckets.of(bucket));
		});
	}

	/**
	 * Take back what an answer took here.
	 * @param answer an answer of this fallback
	 */
	void release(AcquireResult answer) {
		for (AcquireResultPart part : answer.parts()) {
			if (part.answer().changed()) {
				this.local.release(part.answer());
			}
		}
	}

	private static AcquireResult skipped(AcquireRequest part) {
		List<Verdict> verdicts = part.charges()
			.stream()
			.map((charge) -> unmeasured(charge, Outcome.SKIPPED, 0))
			.toList();
		return AcquireResult.of(part, true, Source.FALLBACK, 0, verdicts);
	}

	private static AcquireRequest part(AcquireRequest demand, List<Integer> positions) {
		return demand.with(positions.stream().map(demand.charges()::get).toList());
	}

	private static AcquireResultPart part(List<Integer> positions, AcquireResult answer) {
		return new AcquireResultPart(answer, positions.stream().mapToInt(Integer::intValue).toArray());
	}

	private static Verdict unmeasured(Charge charge, Outcome outcome, long retryAfterMillis) {
		return Verdict.unmeasured(charge.bucket().family().policy(), outcome, charge.cost(), retryAfterMillis);
	}

}
