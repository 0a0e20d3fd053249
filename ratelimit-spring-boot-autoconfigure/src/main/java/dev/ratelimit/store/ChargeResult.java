package dev.ratelimit.store;

import java.util.Optional;

import dev.ratelimit.Source;

/**
 * The result of one charge of a request. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param bucket the charged bucket; if another store responded in place of the one that
 * was called, a bucket of that store
 * @param source the source of the verdict
 * @param takenAtMillis the time of the charge, by the clock of the store; corrections
 * contain it
 * @param seen the numbers seen of the bucket before the charge, if the result contains
 * them; not copied, and must not change
 * @param leased the units leased beyond the cost; 0 if none were
 * @param marked whether the request has set a replay marker, so that a retry is not
 * charged
 * @since 0.1.0
 */
public record ChargeResult(Bucket bucket, Source source, long takenAtMillis, Optional<long[]> seen, long leased,
		boolean marked) {

	/**
	 * A correction of the charge.
	 * @param units the units to add; negative to refund
	 * @return the correction
	 */
	public Settlement settlement(long units) {
		return new Settlement(this.bucket, this.takenAtMillis, units);
	}

}
