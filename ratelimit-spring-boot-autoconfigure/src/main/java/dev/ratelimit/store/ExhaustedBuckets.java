package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongBiFunction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;

/**
 * Internal: the buckets that the store has reported as exhausted, each until its
 * retry-after. A bucket that is exhausted when the store becomes unavailable stays
 * exhausted until then. A cost below the rejected one may still fit, so it has no verdict
 * here. The number of buckets is bounded; the least requested buckets are forgotten
 * first. Thread-safe.
 */
public final class ExhaustedBuckets {

	private static final int MAX_BUCKETS = 10_000;

	/**
	 * The time for which a cost above the capacity is rejected; a new rule may increase
	 * the capacity.
	 */
	private static final long NEVER_FITS_MILLIS = 1000;

	private final Time time;

	private final Cache<Bucket, Denial> denials;

	/**
	 * Remember each bucket until its retry-after, if nothing is refunded to it.
	 * @param time the time
	 */
	public ExhaustedBuckets(Time time) {
		this(time, Long.MAX_VALUE);
	}

	/**
	 * Remember each bucket for a limited time, because units may be refunded to it.
	 * @param time the time
	 * @param longestMillis the maximum time in milliseconds
	 */
	public ExhaustedBuckets(Time time, long longestMillis) {
		this.time = time;
		this.denials = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfter(Expiry.writing(
					(Bucket bucket, Denial denial) -> Duration.ofMillis(Math.min(denial.keptMillis(), longestMillis))))
			.ticker(time::nanos)
			.executor(Runnable::run)
			.build();
	}

	/**
	 * Record a result. Remember buckets that reject a cost, and buckets of which an
	 * allowed request took the last unit. Forget buckets that have units again.
	 * @param result a result of the store
	 */
	public void record(AcquireResult result) {
		if (!result.allowed()) {
			record(result, (bucket, verdict) -> 0);
			return;
		}
		for (int i = 0; i < result.verdicts().size(); i++) {
			Verdict verdict = result.verdicts().get(i);
			if (verdict.remaining() == 0 && result.taken(i) && isExhausted(verdict)) {
				recordExhausted(result.charge(i).bucket(), verdict);
			}
			else if (!this.denials.asMap().isEmpty()) {
				forgetFormer(result.charge(i).bucket(), verdict);
			}
		}
	}

	private void forgetFormer(Bucket bucket, Verdict verdict) {
		Denial denial = this.denials.getIfPresent(bucket);
		if (denial != null && Math.max(verdict.cost(), verdict.remaining()) >= denial.verdict.cost()) {
			this.denials.invalidate(bucket);
		}
	}

	// Concurrent requests may end at any time, and a bucket with credit provides more
	// than it holds.
	private static boolean isExhausted(Verdict verdict) {
		Policy policy = verdict.policy();
		return !policy.concurrent() && policy.limit().filter((limit) -> limit.credit() > 0).isEmpty();
	}

	private void recordExhausted(Bucket bucket, Verdict verdict) {
		Verdict denied = new Verdict(verdict.policy(), Outcome.REJECTED, 1, 0, verdict.nextUnitMillis(),
				verdict.resetAfterMillis(), verdict.nextUnitMillis());
		this.denials.put(bucket, new Denial(denied, this.time.nanos(), verdict.nextUnitMillis()));
	}

	/**
	 * Remember the buckets that reject a request, possibly longer than their retry-after,
	 * because other instances compete for the next units. The verdicts still have the
	 * retry-after of the store.
	 * @param result a result of the store
	 * @param least the minimum time in milliseconds, if the retry-after is shorter
	 */
	public void record(AcquireResult result, ToLongBiFunction<Bucket, Verdict> least) {
		for (int i = 0; i < result.verdicts().size(); i++) {
			Verdict verdict = result.verdicts().get(i);
			// Concurrent requests may end at any time.
			if (verdict.outcome() == Outcome.REJECTED && !verdict.policy().concurrent()) {
				record(result.charge(i).bucket(), verdict, least);
			}
		}
	}

	// An entry for a smaller cost is kept, because it applies to more requests, unless
	// units
	// were refunded since.
	private void record(Bucket bucket, Verdict verdict, ToLongBiFunction<Bucket, Verdict> least) {
		if (verdict.retryAfterMillis() == Wait.NEVER) {
			this.denials.asMap().putIfAbsent(bucket, new Denial(verdict, this.time.nanos(), NEVER_FITS_MILLIS));
			return;
		}
		long millis = Math.max(verdict.retryAfterMillis(), least.applyAsLong(bucket, verdict));
		Denial before = this.denials.getIfPresent(bucket);
		if (before == null || verdict.cost() <= before.verdict.cost() || !before.isOf(verdict.policy())
				|| verdict.remaining() >= before.verdict.cost()) {
			this.denials.put(bucket, new Denial(verdict, this.time.nanos(), millis));
		}
	}

	/**
	 * Remember a bucket that is nearly exhausted.
	 * @param charge a charge on it
	 * @param seen the verdict on the bucket
	 * @param millis the time in milliseconds, which the verdicts do not contain, because
	 * the next unit may refill earlier
	 */
	public void record(Charge charge, Verdict seen, long millis) {
		Verdict denied = new Verdict(seen.policy(), Outcome.REJECTED, charge.cost(), seen.remaining(),
				Math.max(1, seen.nextUnitMillis()), seen.resetAfterMillis(), seen.nextUnitMillis());
		this.denials.put(charge.bucket(), new Denial(denied, this.time.nanos(), millis));
	}

	/**
	 * Return the verdict on a charge that is known not to fit.
	 * @param charge the charge
	 * @return the verdict, if it is known
	 */
	public Optional<Verdict> verdict(Charge charge) {
		Denial denial = (charge.cost() == 0) ? null : this.denials.getIfPresent(charge.bucket());
		if (denial == null || charge.cost() < denial.verdict.cost()
				|| !denial.isOf(charge.bucket().family().policy())) {
			return Optional.empty();
		}
		return Optional.of(denial.now(charge, this.time.nanos()));
	}

	/**
	 * Forget a bucket, because units were refunded to it.
	 * @param bucket the bucket
	 */
	public void forget(Bucket bucket) {
		this.denials.invalidate(bucket);
	}

	private record Denial(Verdict verdict, long atNanos, long keptMillis) {

		// With another capacity, the same bucket may not be exhausted.
		boolean isOf(Policy policy) {
			return this.verdict.policy() == policy || this.verdict.policy().equals(policy);
		}

		Verdict now(Charge charge, long nowNanos) {
			long passedMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - this.atNanos);
			return new Verdict(this.verdict.policy(), charge.stance().excess(), charge.cost(), this.verdict.remaining(),
					retryAfter(charge, passedMillis), left(this.verdict.resetAfterMillis(), passedMillis),
					left(this.verdict.nextUnitMillis(), passedMillis));
		}

		private long retryAfter(Charge charge, long passedMillis) {
			boolean never = this.verdict.retryAfterMillis() == Wait.NEVER || neverFits(charge.cost());
			return (never) ? Wait.NEVER : left(this.verdict.retryAfterMillis(), passedMillis);
		}

		private boolean neverFits(long cost) {
			return this.verdict.policy().limit().filter((limit) -> cost > limit.burst() + limit.credit()).isPresent();
		}

		private static long left(long millis, long passedMillis) {
			return Math.max(1, millis - passedMillis);
		}

	}

}
