package dev.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a store that charges some buckets on the calling thread, without a future and
 * without objects for the request.
 */
public interface LocalLimitStore extends StoreStage {

	/**
	 * Charge one bucket, if no call is necessary.
	 * @param family the limit, which must not limit concurrent requests
	 * @param subject the subject that the bucket belongs to, in canonical form
	 * @param cost units, at least 1
	 * @param terms the terms of the charge
	 * @param reservation the terms of corrections
	 * @return the charge or the rejection; null if nothing was decided and
	 * {@link #acquire} must be called
	 */
	@Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation);

}
