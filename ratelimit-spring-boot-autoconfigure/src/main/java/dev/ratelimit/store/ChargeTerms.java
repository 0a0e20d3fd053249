package dev.ratelimit.store;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;

/**
 * Internal: what the charges of a rule that enforces its limits have in common.
 * Immutable.
 *
 * @param failure what answers if the store does not
 * @param replayable whether a known replay marker waives a charge
 * @param consistency whether units may be borrowed in advance
 */
public record ChargeTerms(FailurePolicy failure, boolean replayable, Consistency consistency) {

	/**
	 * A charge under these terms.
	 * @param bucket the bucket
	 * @param cost units
	 * @return the charge
	 */
	public Charge charge(Bucket bucket, long cost) {
		return new Charge(bucket, cost, this.failure, false, this.replayable, this.consistency, LeaseRequest.NONE);
	}

}
