package dev.ratelimit.store.lease;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReservationTerms;

/**
 * A charge to leased units, with what was known of the lease.
 */
final class LeasedCharge extends LocalCharge {

	private final LeaseTerms known;

	private final long left;

	private final long nowNanos;

	LeasedCharge(ReservationTerms reservation, Bucket bucket, long cost, LeaseTerms known, long left, long nowNanos) {
		super(reservation, bucket, cost);
		this.known = known;
		this.left = left;
		this.nowNanos = nowNanos;
	}

	@Override
	protected Verdict verdict(long cost) {
		return this.known.verdict(cost, this.left, this.nowNanos);
	}

	@Override
	protected Policy policy() {
		return this.known.family().policy();
	}

	@Override
	protected long takenAtMillis() {
		return this.known.takenAtMillis();
	}

}
