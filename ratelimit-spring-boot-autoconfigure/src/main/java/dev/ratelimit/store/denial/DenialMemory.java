package dev.ratelimit.store.denial;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Policy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeResult;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * The denials of up to 10,000 buckets. A pending result does not restore a denial that
 * was forgotten meanwhile. Thread-safe.
 */
final class DenialMemory {

	private static final int MAX_BUCKETS = 10_000;

	private static final int STRIPES = 1024;

	/** The store rounds to whole milliseconds. */
	private static final long ROUNDING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final long maxMillis;

	private final Time time;

	private final Cache<Bucket, Denial> denials;

	private final Policy<Bucket, Denial> quietly;

	/** The number of times that a bucket was forgotten, by the hash of the bucket. */
	private final AtomicIntegerArray forgotten = new AtomicIntegerArray(STRIPES);

	DenialMemory(Duration longest, Time time) {
		this.maxMillis = longest.toMillis();
		this.time = time;
		this.denials = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfter(Expiry.writing((Bucket bucket, Denial denial) -> denial.keptFor()))
			.ticker(time::nanos)
			.executor(Runnable::run)
			.build();
		this.quietly = this.denials.policy();
	}

	long nowNanos() {
		return this.time.nanos();
	}

	/**
	 * Return the denial that covers a charge.
	 * @param charge the charge
	 * @return the denial, or null if none covers the charge
	 */
	@Nullable Denial find(Charge charge) {
		Denial denial = this.quietly.getIfPresentQuietly(charge.bucket());
		return (denial != null && denial.covers(charge)) ? denial : null;
	}

	/**
	 * Return marks of the buckets of a request. The mark of a bucket changes when it is
	 * forgotten.
	 * @param request the request
	 * @return a mark for each charge
	 */
	int[] marks(AcquireRequest request) {
		int[] marks = new int[request.charges().size()];
		for (int i = 0; i < marks.length; i++) {
			marks[i] = this.forgotten.get(stripe(request.charges().get(i).bucket()));
		}
		return marks;
	}

	boolean isChanged(AcquireRequest request, int index, int mark) {
		return this.forgotten.get(stripe(request.charges().get(index).bucket())) != mark;
	}

	/**
	 * Forget the denial of a bucket, and ignore the results of pending calls.
	 * @param bucket the bucket
	 */
	void forget(Bucket bucket) {
		if (bucket.family().policy().concurrent()) {
			return;
		}
		this.forgotten.incrementAndGet(stripe(bucket));
		this.denials.invalidate(bucket);
	}

	/**
	 * Restart the time for which a denial is remembered, unless another denial has
	 * replaced it.
	 * @param bucket the bucket that was denied
	 * @param denial the denial
	 */
	void keep(Bucket bucket, Denial denial) {
		this.denials.asMap().replace(bucket, denial, denial);
	}

	void remove(Bucket bucket, Denial denial) {
		this.denials.asMap().remove(bucket, denial);
	}

	/**
	 * Remember the denial that a result contains for a charge.
	 * @param result the result
	 * @param index the number of the charge
	 * @param sentNanos the time of the call
	 * @return whether the bucket is exhausted according to the result
	 */
	boolean record(AcquireResult result, int index, long sentNanos) {
		Verdict verdict = result.verdicts().get(index);
		boolean last = verdict.remaining() == 0 && result.taken(index);
		return (last || verdict.outcome() == Outcome.REJECTED)
				&& record(result.request().charges().get(index), result.charge(index), verdict, sentNanos);
	}

	private boolean record(Charge charge, ChargeResult result, Verdict verdict, long sentNanos) {
		if (result.source() != Source.REMOTE || result.seen().isEmpty()) {
			return false;
		}
		long[] seen = result.seen().get();
		long takenAt = result.takenAtMillis();
		if (verdict.outcome() == Outcome.REJECTED) {
			put(charge.bucket(), charge.cost(), seen, takenAt, verdict.retryAfterMillis(), sentNanos);
			return true;
		}
		BucketFamily family = charge.bucket().family();
		if (hasCredit(family)) {
			return false;
		}
		put(charge.bucket(), 1, family.calculator().seenOnceExhausted(seen, charge.cost(), takenAt), takenAt,
				verdict.nextUnitMillis(), sentNanos);
		return true;
	}

	private void put(Bucket bucket, long cost, long[] seen, long atMillis, long waitMillis, long sentNanos) {
		long nowNanos = nowNanos();
		long millis = (waitMillis == Wait.NEVER) ? this.maxMillis : Math.min(waitMillis, this.maxMillis);
		long untilNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos(millis) - ROUNDING_NANOS;
		if (untilNanos - nowNanos <= 0) {
			this.denials.invalidate(bucket);
			return;
		}
		Denial denial = new Denial(bucket.family(), cost, seen, atMillis, waitMillis, nowNanos, untilNanos);
		// A denial of a smaller cost is kept, because it applies to more requests.
		this.denials.asMap()
			.merge(bucket, denial,
					(present, fresh) -> (present.cost() < cost && present.holds(nowNanos)) ? present : fresh);
	}

	// A bucket with credit allows more units than it has, so its remaining units do not
	// show that it is exhausted.
	private static boolean hasCredit(BucketFamily family) {
		return family.policy().limit().filter((limit) -> limit.credit() > 0).isPresent();
	}

	private static int stripe(Bucket bucket) {
		int hash = bucket.hashCode();
		return (hash ^ (hash >>> 16)) & (STRIPES - 1);
	}

}
