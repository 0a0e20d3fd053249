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
 * The buckets that are exhausted, or nearly so, to reject requests without a call.
 * Thread-safe.
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
	 * The verdict on a charge that is known not to fit.
	 * @param charge the charge
	 * @return the verdict, if it is known
	 */
	Optional<Verdict> verdict(Charge charge) {
		Optional<Verdict> verdict = this.exhaustedBuckets.verdict(charge);
		verdict.ifPresent((rejection) -> this.contention.impatient(charge.bucket()));
		return verdict;
	}

	/**
	 * Note which buckets are empty, and which are not.
	 * @param result what the store says
	 * @param sentNanos when it was called
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
	 * Record that the store had nothing to lease, while others request it too.
	 * @param charge what was to be leased
	 * @param seen what the store says of the bucket
	 */
	void nothingLeased(Charge charge, Verdict seen) {
		long millis = this.contention.scarce(charge.bucket());
		// A larger cost waits for more than the next unit.
		if (millis > 0 && charge.cost() <= seen.remaining() + 1) {
			this.exhaustedBuckets.record(charge, seen, millis);
		}
	}

	/**
	 * Forget what is known of a bucket, because units were refunded to it.
	 * @param bucket the bucket
	 */
	void forget(Bucket bucket) {
		this.exhaustedBuckets.forget(bucket);
	}

	/**
	 * The back-offs of buckets that the store has rejected: the times for which it is not
	 * called for them. If clients wait for as long as the store says, that is the time
	 * that the store says. If they do not, it lasts until there are enough units to be
	 * worth a call. If a request is rejected that was sent after the previous wait,
	 * several instances contend for the units: each doubles its back-off, so that all
	 * together call the store about as often as there are units. A client never waits for
	 * a back-off. Remembers the buckets that were rejected lately, each separately, so
	 * that a flood of others changes nothing. Thread-safe.
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
		 * Note that the store has rejected a request.
		 * @param bucket the exhausted bucket
		 * @param verdict the store's verdict
		 * @param sentNanos when the request was sent
		 * @param nowNanos the time
		 * @return for how many milliseconds the store is not to be called
		 */
		long rejected(Bucket bucket, Verdict verdict, long sentNanos, long nowNanos) {
			long endNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, verdict.retryAfterMillis()));
			Row row = this.rows.asMap()
				.compute(bucket, (same, before) -> (before != null) ? before.rejected(sentNanos, endNanos)
						: new Row(1, endNanos, false));
			long wait = verdict.retryAfterMillis() << (row.length() - 1);
			return (row.impatient()) ? Math.max(wait, gathering(bucket)) : wait;
		}

		// No unit is lost meanwhile: the bucket does not become full.
		private static long gathering(Bucket bucket) {
			Limit limit = bucket.family().policy().limit().orElseThrow();
			long enough = MIN_GATHERED_UNITS * limit.period().toMillis() / limit.quantity();
			return Math.min(Math.min(enough, MAX_GATHERING_MILLIS), bucket.family().arithmetic().fillMillis() / 4);
		}

		/**
		 * Return the time for which the store is not called for a bucket that had next to
		 * no units to lease.
		 * @param bucket the bucket
		 * @return milliseconds; 0 if its clients wait as long as they should
		 */
		long scarce(Bucket bucket) {
			Row row = find(bucket);
			return (row != null && row.impatient()) ? gathering(bucket) : 0;
		}

		/**
		 * Note that a request came before the wait was over.
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
		 * @param length how many there were in a row, of requests that were sent after
		 * the wait of the one before
		 * @param endNanos when the last wait ends
		 * @param impatient whether requests came before
		 */
		private record Row(int length, long endNanos, boolean impatient) {

			Row rejected(long sentNanos, long laterNanos) {
				boolean waited = sentNanos - this.endNanos >= 0 || this.length == 0;
				return new Row((waited) ? Math.min(MAX_ROW, this.length + 1) : this.length, laterNanos, this.impatient);
			}

		}

	}

}
