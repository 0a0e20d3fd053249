package dev.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a store that charges some buckets on the calling thread, without a future and
 * without the objects that a request is made of.
 */
public interface LocalLimitStore extends StoreStage {

	/**
	 * Charge one bucket, if no call is necessary.
	 * @param family which limit; not of requests at a time
	 * @param subject the subject that the bucket belongs to, in canonical form
	 * @param cost units, at least 1
	 * @param terms the terms of the charge
	 * @param reservation how the charge is corrected
	 * @return what was charged, or a rejection; null if nothing was decided, and
	 * {@link #acquire} must be called
	 */
	@Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation);

}
