package dev.ratelimit.store.slot;

import java.time.Duration;
import java.util.List;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Time;

/**
 * The buckets that lately rejected a request which spans several slots. A part with such
 * a bucket is sent before the others: it is likely to be rejected again, and then no
 * other slot has charges to refund. Thread-safe.
 */
final class LatelyDenied {

	private static final int MAX_BUCKETS = 10_000;

	/**
	 * The minimum time, because a flood usually lasts longer than the wait of a fast
	 * limit.
	 */
	private static final long MIN_MILLIS = 1_000;

	private static final long MAX_MILLIS = 10_000;

	private final Cache<Bucket, Long> waits;

	LatelyDenied(Time time) {
		this.waits = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfter(Expiry.writing((Bucket bucket, Long millis) -> Duration.ofMillis(millis)))
			.ticker(time::nanos)
			.executor(Runnable::run)
			.build();
	}

	/**
	 * Remember the buckets that rejected a request.
	 * @param request a request
	 * @param verdicts one per charge
	 */
	void record(AcquireRequest request, List<Verdict> verdicts) {
		for (int i = 0; i < verdicts.size(); i++) {
			Verdict verdict = verdicts.get(i);
			if (verdict.outcome() == Outcome.REJECTED) {
				this.waits.put(request.charges().get(i).bucket(), millis(verdict.retryAfterMillis()));
			}
		}
	}

	/**
	 * Whether a bucket of a request rejected lately.
	 * @param request the request
	 * @return whether it is likely to be rejected again
	 */
	boolean knows(AcquireRequest request) {
		for (Charge charge : request.charges()) {
			if (charge.cost() > 0 && charge.mayReject() && this.waits.getIfPresent(charge.bucket()) != null) {
				return true;
			}
		}
		return false;
	}

	private static long millis(long retryAfterMillis) {
		return (retryAfterMillis == Wait.NEVER) ? MAX_MILLIS
				: Math.max(MIN_MILLIS, Math.min(MAX_MILLIS, retryAfterMillis));
	}

}
