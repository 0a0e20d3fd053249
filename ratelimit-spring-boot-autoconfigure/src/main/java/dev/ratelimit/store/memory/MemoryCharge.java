package dev.ratelimit.store.memory;

import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.BucketSnapshot;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReservationTerms;
import org.jspecify.annotations.Nullable;

/**
 * A charge to a bucket in memory, with what was seen of the bucket before.
 */
final class MemoryCharge extends LocalCharge {

	private final BucketFamily limit;

	private final long takenAtMillis;

	/** What was seen, if it is one number. */
	private final long number;

	/** What was seen, if it is several numbers. */
	private final long @Nullable [] numbers;

	MemoryCharge(ReservationTerms reservation, Bucket bucket, long cost, BucketFamily limit, long takenAtMillis,
			long number, long @Nullable [] numbers) {
		super(reservation, bucket, cost);
		this.limit = limit;
		this.takenAtMillis = takenAtMillis;
		this.number = number;
		this.numbers = numbers;
	}

	@Override
	protected Verdict verdict(long cost) {
		long[] seen = (this.numbers != null) ? this.numbers : new long[] { this.number };
		BucketSnapshot reading = this.limit.arithmetic().read(seen, cost, true, this.takenAtMillis);
		return new Verdict(this.limit.policy(), Outcome.ALLOWED, cost, reading.remaining(), reading.retryAfterMillis(),
				reading.resetAfterMillis(), reading.nextUnitMillis(), reading.delayMillis());
	}

	@Override
	protected Policy policy() {
		return this.limit.policy();
	}

	@Override
	protected long takenAtMillis() {
		return this.takenAtMillis;
	}

}
