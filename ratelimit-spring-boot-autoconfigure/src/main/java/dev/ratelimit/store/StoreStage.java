package dev.ratelimit.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Internal: a store with the additional operations that the stages before it need:
 * refunds that remove replay markers, late charges, leases, and slots of instances. Each
 * stage before a store implements this interface too. The default methods are for a store
 * without these features. Thread-safe.
 */
public interface StoreStage extends LimitStore {

	/**
	 * Refund all charges of a result of this store, because the result is not used, or
	 * because the remaining charges are refunded. A store that remembers replay markers
	 * removes these too.
	 * @param result the result
	 * @return completed when done, or a {@link StoreException}
	 */
	default CompletableFuture<Void> release(AcquireResult result) {
		List<Settlement> refunds = result.refunds();
		return (refunds.isEmpty()) ? CompletableFuture.completedFuture(null) : settle(refunds);
	}

	/**
	 * Charge a request that was allowed while this store did not respond, as of the time
	 * of the decision: units that would have refilled since then are not charged. By
	 * default, buckets that refill evenly are corrected, and others are not charged.
	 * @param late the charge
	 * @return the correction that was made, with the time of this store, or a
	 * {@link StoreException}
	 */
	default CompletableFuture<Settlement> charge(LateCharge late) {
		Settlement correction = late.correction();
		return (correction.bucket().family().refillsEvenly())
				? settle(List.of(correction)).thenApply((done) -> correction)
				: CompletableFuture.completedFuture(new Settlement(correction.bucket(), correction.takenAtMillis(), 0));
	}

	/**
	 * Return the remaining units of a lease. Units of an expired lease are not returned.
	 * @param unspent the remaining units
	 * @return the number of returned units, or a {@link StoreException}
	 */
	default CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return settle(List.of(new Settlement(unspent.bucket(), unspent.takenAtMillis(), -unspent.units())))
			.thenApply((done) -> unspent.units());
	}

	/**
	 * Renew the slots that this instance holds, and set their number. Slots that are not
	 * renewed expire after the lease. By default, slots cannot be renewed.
	 * @param held the number of slots that this instance holds, by bucket; at least one
	 * bucket
	 * @return the result of the renewal, or a {@link StoreException} if no bucket was
	 * renewed
	 */
	default CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return CompletableFuture.completedFuture(SlotRenewal.DONE);
	}

	/**
	 * Whether {@link #renew} sets the number of slots that this instance holds.
	 * @return whether it does; by default, slots cannot be renewed
	 */
	default boolean renewsSlots() {
		return false;
	}

	/**
	 * Return a store as a stage.
	 * @param store the store, such as one of the application
	 * @return the same store if it is a stage
	 */
	static StoreStage of(LimitStore store) {
		return (store instanceof StoreStage stage) ? stage : new Plain(store);
	}

	/**
	 * Internal: a stage for a store that implements only {@link LimitStore}.
	 *
	 * @param store the store
	 */
	record Plain(LimitStore store) implements StoreStage {

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.store.acquire(request);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
