package dev.ratelimit.store;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;

/**
 * Internal: the terms that all charges of a rule share. Immutable.
 *
 * @param failure the policy that applies if the store does not respond
 * @param stance the effect of a charge that does not fit
 * @param replayable whether a known replay marker waives a charge, unless it holds a slot
 * @param consistency whether units may be leased in advance
 */
public record ChargeTerms(FailurePolicy failure, Stance stance, boolean replayable, Consistency consistency) {

	/**
	 * The outcome of a charge that does not fit.
	 * @return the outcome
	 */
	public Outcome excess() {
		return this.stance.excess();
	}

	/**
	 * Create a charge with these terms.
	 * @param bucket the bucket
	 * @param cost units
	 * @return the charge, with a cost of 0 if the stance takes no units
	 */
	public Charge charge(Bucket bucket, long cost) {
		// A retry needs a slot too, because the handler processes it like any other
		// request.
		boolean waivable = this.replayable && !bucket.family().policy().concurrent();
		return new Charge(bucket, (this.stance.takes()) ? cost : 0, this.failure, this.stance, waivable,
				this.consistency, LeaseRequest.NONE);
	}

}
