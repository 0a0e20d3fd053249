package dev.ratelimit.store;

import java.util.List;
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
	 * Correct charges: refund units, or charge more. Charges that were forgotten
	 * meanwhile are not refunded, and refunds do not create buckets.
	 * @param settlements the corrections, all on buckets of one request
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> settle(List<Settlement> settlements);

	/**
	 * Reset buckets.
	 * @param buckets the buckets
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> reset(List<Bucket> buckets);

}
