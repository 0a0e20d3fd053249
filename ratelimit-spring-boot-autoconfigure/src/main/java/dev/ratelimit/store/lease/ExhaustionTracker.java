package dev.ratelimit.store.lease;

import java.util.Optional;

import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.Time;

/**
 * Which buckets are empty, or as good as empty, so that what is not there is rejected
 * without asking. Thread-safe.
 */
final class ExhaustionTracker {

	/** Any instance may give something back at any time. */
	private static final long LONGEST_DENIAL_MILLIS = 1000;

	private final Time time;

	private final ExhaustedBuckets knownEmpty;

	private final Contention contention;

	ExhaustionTracker(Time time) {
		this.time = time;
		this.contention = new Contention(time);
		this.knownEmpty = new ExhaustedBuckets(time, LONGEST_DENIAL_MILLIS);
	}

	/**
	 * The verdict on a charge that is known not to fit.
	 * @param charge the charge
	 * @return the verdict, if it is known
	 */
	Optional<Verdict> verdict(Charge charge) {
		Optional<Verdict> verdict = this.knownEmpty.verdict(charge);
		verdict.ifPresent((known) -> this.contention.impatient(charge.bucket()));
		return verdict;
	}

	/**
	 * Note which buckets are empty, and which are not.
	 * @param result what the store says
	 * @param sentNanos when it was called
	 */
	void learn(AcquireResult result, long sentNanos) {
		if (result.admitted()) {
			result.request().charges().forEach((charge) -> this.contention.admitted(charge.bucket()));
		}
		else {
			long nowNanos = this.time.nanos();
			this.knownEmpty.note(result,
					(bucket, verdict) -> this.contention.rejected(bucket, verdict, sentNanos, nowNanos));
		}
	}

	/**
	 * Note that the store had nothing to lease, where others ask too.
	 * @param charge what was to be leased
	 * @param seen what the store says of the bucket
	 */
	void nothingLeased(Charge charge, Verdict seen) {
		long millis = this.contention.scarce(charge.bucket());
		// A larger cost waits for more than the next unit.
		if (millis > 0 && charge.cost() <= seen.remaining() + 1) {
			this.knownEmpty.note(charge, seen, millis);
		}
	}

	/**
	 * Forget what is known of a bucket: something was given back to it.
	 * @param bucket the bucket
	 */
	void forget(Bucket bucket) {
		this.knownEmpty.forget(bucket);
	}

}
