package dev.ratelimit.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Stores buckets and charges them atomically. Thread-safe.
 * <p>
 * An application can provide its own store as a bean of this type. If the store does not
 * respond within the deadline, or fails, the rules apply their failure policies. A store
 * that fails is not called again until a peek succeeds. No method may block, because a
 * call that blocks its thread cannot be canceled.
 * <p>
 * All charges of a request are applied, or none: if one charge is rejected, no bucket
 * changes and no replay marker is stored. A bucket that was never charged requires no
 * memory: neither a peek nor a rejection stores anything.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public interface LimitStore {

	/**
	 * The name of the store in meters and log lines, such as {@code redis}.
	 * @return the name
	 */
	String name();

	/**
	 * Evaluate and charge a request.
	 * @param request the request
	 * @return the result, or a {@link StoreException}
	 */
	CompletableFuture<AcquireResult> acquire(AcquireRequest request);

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
	 * Correct charges. Charges that were forgotten meanwhile are not refunded, and
	 * refunds do not create buckets.
	 * @param settlements the corrections, all on buckets of one request
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> settle(List<Settlement> settlements);

	/**
	 * Charge what was admitted while this store did not respond, as of the time of the
	 * admission: units that would have come back since are not charged. By default,
	 * buckets that refill evenly are corrected, and others are not charged.
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
	 * Renew the slots that this instance holds, and set how many they are. Slots of an
	 * instance that does not renew them end after the lease. By default, slots cannot be
	 * renewed.
	 * @param held how many slots it holds, by bucket; at least one bucket
	 * @return how many of the buckets did not know the instance any more, or a
	 * {@link StoreException}
	 */
	default CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
		return CompletableFuture.completedFuture(0);
	}

	/**
	 * Reset buckets.
	 * @param buckets the buckets
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> reset(List<Bucket> buckets);

}
