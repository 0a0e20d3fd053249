package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Remembers buckets that are exhausted or nearly exhausted, to reject requests without a
 * call. Thread-safe.
 */
final class ExhaustionTracker {

	/** A denial is short because any instance may return units at any time. */
	private static final long MAX_DENIAL_MILLIS = 1000;

	private final Time time;

	private final ExhaustedBuckets exhaustedBuckets;

	private final Contention contention;

	ExhaustionTracker(Time time) {
		this.time = time;
		this.contention = new Contention(time);
		this.exhaustedBuckets = new ExhaustedBuckets(time, MAX_DENIAL_MILLIS);
	}

	/**
	 * Return the verdict on a charge that is known not to fit.
	 * @param charge the charge
	 * @return the verdict, if it is known
	 */
	Optional<Verdict> verdict(Charge charge) {
		Optional<Verdict> verdict = this.exhaustedBuckets.verdict(charge);
		verdict.ifPresent((rejection) -> this.contention.impatient(charge.bucket()));
		return verdict;
	}

	/**
	 * Record which buckets are exhausted and which are not.
	 * @param result the result of the store
	 * @param sentNanos the time of the call
	 */
	void learn(AcquireResult result, long sentNanos) {
		if (result.allowed()) {
			result.request().charges().forEach((charge) -> this.contention.allowed(charge.bucket()));
		}
		else {
			long nowNanos = this.time.nanos();
			this.exhaustedBuckets.record(result,
					(bucket, verdict) -> this.contention.rejected(bucket, verdict, sentNanos, nowNanos));
		}
	}

	/**
	 * Record that the store had hardly any units to lease.
	 * @param charge the charge with the units to lease
	 * @param seen the verdict of the store
	 */
	void nothingLeased(Charge charge, Verdict seen) {
		long millis = this.contention.scarce(charge.bucket());
		// A larger cost waits for more than the next unit.
		if (millis > 0 && charge.cost() <= seen.remaining() + 1) {
			this.exhaustedBuckets.record(charge, seen, millis);
		}
	}

	/**
	 * Forget that a bucket is exhausted, because it was reset or units were refunded to
	 * it.
	 * @param bucket the bucket
	 */
	void forget(Bucket bucket) {
		this.exhaustedBuckets.forget(bucket);
	}

	/**
	 * The back-off of each exhausted bucket: the time for which the store is not called
	 * for the bucket. If clients wait for the retry-after of the store, the back-off
	 * equals the retry-after. If clients retry earlier, the back-off lasts until enough
	 * units for a call have refilled. If a request is rejected that was sent after the
	 * previous wait, several instances compete for the units: each of them doubles its
	 * back-off, so that all instances together call the store about as often as units
	 * refill. A client never waits for a back-off. Each bucket is remembered separately,
	 * so that a flood of other buckets does not change its back-off. Thread-safe.
	 */
	private static final class Contention {

		private static final int MAX_BUCKETS = 10_000;

		private static final int MAX_ROW = 10;

		private static final long MIN_GATHERED_UNITS = 64;

		private static final long MAX_GATHERING_MILLIS = 100;

		private static final Duration REMEMBERED = Duration.ofSeconds(3);

		private final Cache<Bucket, Row> rows;

		Contention(Time time) {
			this.rows = Caffeine.newBuilder()
				.maximumSize(MAX_BUCKETS)
				.expireAfterWrite(REMEMBERED)
				.ticker(time::nanos)
				.executor(Runnable::run)
				.build();
		}

		/**
		 * Record that the store has rejected a request.
		 * @param bucket the exhausted bucket
		 * @param verdict the store's verdict
		 * @param sentNanos when the request was sent
		 * @param nowNanos the time
		 * @return the time in milliseconds for which the store must not be called
		 */
		long rejected(Bucket bucket, Verdict verdict, long sentNanos, long nowNanos) {
			long endNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, verdict.retryAfterMillis()));
			Row row = this.rows.asMap()
				.compute(bucket, (same, before) -> (before != null) ? before.rejected(sentNanos, endNanos)
						: new Row(1, endNanos, false));
			long wait = verdict.retryAfterMillis() << (row.length() - 1);
			return (row.impatient()) ? Math.max(wait, gathering(bucket)) : wait;
		}

		// No unit is lost during this time, because the bucket does not become full.
		private static long gathering(Bucket bucket) {
			Limit limit = bucket.family().policy().limit().orElseThrow();
			long enough = MIN_GATHERED_UNITS * limit.period().toMillis() / limit.quantity();
			return Math.min(Math.min(enough, MAX_GATHERING_MILLIS), bucket.family().calculator().fillMillis() / 4);
		}

		/**
		 * Return the time for which the store is not called for a bucket that had hardly
		 * any units to lease.
		 * @param bucket the bucket
		 * @return milliseconds; 0 if the clients wait for the retry-after
		 */
		long scarce(Bucket bucket) {
			Row row = find(bucket);
			return (row != null && row.impatient()) ? gathering(bucket) : 0;
		}

		/**
		 * Record that a request arrived before the wait was over.
		 * @param bucket its bucket
		 */
		void impatient(Bucket bucket) {
			Row row = find(bucket);
			if (row != null && !row.impatient()) {
				this.rows.asMap().replace(bucket, row, new Row(row.length(), row.endNanos(), true));
			}
		}

		/**
		 * Record that the store has allowed a request.
		 * @param bucket its bucket
		 */
		void allowed(Bucket bucket) {
			Row row = find(bucket);
			if (row != null && row.length() > 0) {
				this.rows.asMap().replace(bucket, row, new Row(row.length() - 1, row.endNanos(), row.impatient()));
			}
		}

		private @Nullable Row find(Bucket bucket) {
			return this.rows.getIfPresent(bucket);
		}

		/**
		 * Rejections of one bucket.
		 *
		 * @param length the number of consecutive rejections of requests that were each
		 * sent after the wait of the previous rejection
		 * @param endNanos the time at which the last wait ends
		 * @param impatient whether requests arrived before that time
		 */
		private record Row(int length, long endNanos, boolean impatient) {

			Row rejected(long sentNanos, long laterNanos) {
				boolean waited = sentNanos - this.endNanos >= 0 || this.length == 0;
				return new Row((waited) ? Math.min(MAX_ROW, this.length + 1) : this.length, laterNanos, this.impatient);
			}

		}

	}

}
