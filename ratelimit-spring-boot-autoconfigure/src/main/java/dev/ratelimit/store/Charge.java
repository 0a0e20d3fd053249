package dev.ratelimit.store;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.BucketSnapshot;

/**
 * A charge of a request to one bucket. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param bucket the bucket
 * @param cost the units; 0 is a peek, which always fits and takes nothing
 * @param failure the policy that applies if the store does not respond
 * @param stance the effect of a charge that does not fit; a charge that never rejects
 * takes its cost only if it fits
 * @param replayable whether a known replay marker waives it
 * @param consistency whether units may be leased in advance
 * @param lease the units to lease now, beyond the cost
 * @since 0.1.0
 */
public record Charge(Bucket bucket, long cost, FailurePolicy failure, Stance stance, boolean replayable,
		Consistency consistency, LeaseRequest lease) {

	public Charge {
		if (cost < 0) {
			throw new IllegalArgumentException("the cost must not be negative");
		}
	}

	/**
	 * Create a charge that is always decided by the store.
	 * @param bucket the bucket
	 * @param cost units
	 * @param failure the policy that applies if the store does not respond
	 * @param stance the effect of a charge that does not fit
	 * @param replayable whether a known replay marker waives it
	 */
	public Charge(Bucket bucket, long cost, FailurePolicy failure, Stance stance, boolean replayable) {
		this(bucket, cost, failure, stance, replayable, Consistency.STRICT, LeaseRequest.NONE);
	}

	/**
	 * Return this charge with another consistency.
	 * @param other the consistency, which determines whether units may be leased in
	 * advance
	 * @return the charge
	 */
	public Charge with(Consistency other) {
		return new Charge(this.bucket, this.cost, this.failure, this.stance, this.replayable, other, this.lease);
	}

	/**
	 * Return this charge with other terms of its rule.
	 * @param policy the policy that applies if the store does not respond
	 * @param waivable whether a known replay marker waives it
	 * @return the charge
	 */
	public Charge with(FailurePolicy policy, boolean waivable) {
		return (policy == this.failure && waivable == this.replayable) ? this
				: new Charge(this.bucket, this.cost, policy, this.stance, waivable, this.consistency, this.lease);
	}

	/**
	 * Return this charge with a higher cost.
	 * @param units the units to add
	 * @return the charge
	 */
	public Charge plus(long units) {
		long sum = (units <= Long.MAX_VALUE - this.cost) ? this.cost + units : Long.MAX_VALUE;
		return new Charge(this.bucket, sum, this.failure, this.stance, this.replayable, this.consistency, this.lease);
	}

	/**
	 * Return this charge with another cost and units to lease.
	 * @param units the cost
	 * @param unspent the units to lease
	 * @return the charge
	 */
	public Charge leasing(long units, LeaseRequest unspent) {
		return new Charge(this.bucket, units, this.failure, this.stance, this.replayable, this.consistency, unspent);
	}

	/**
	 * Return a charge on another bucket that replaces this one.
	 * @param other the bucket
	 * @param units the cost for the other bucket
	 * @return the charge
	 */
	public Charge on(Bucket other, long units) {
		return new Charge(other, units, this.failure, this.stance, this.replayable);
	}

	/**
	 * Whether the charge rejects a request if it does not fit.
	 * @return whether it rejects
	 */
	public boolean mayReject() {
		return this.stance.rejects();
	}

	/**
	 * Return the numbers of the bucket's state that decide on this charge.
	 * @param state the state
	 * @param nowMillis the time
	 * @return the numbers seen
	 */
	public long[] look(long[] state, long nowMillis) {
		return this.bucket.family().calculator().look(state, this.cost, nowMillis);
	}

	/**
	 * Whether the bucket, in its current state, rejects the request.
	 * @param seen the numbers seen of the bucket, for this cost
	 * @param replayed whether the request is a known replay
	 * @param nowMillis the time
	 * @return whether the charge rejects the request
	 */
	public boolean rejects(long[] seen, boolean replayed, long nowMillis) {
		return this.stance.rejects() && !waived(replayed) && !fits(seen, nowMillis);
	}

	/**
	 * Whether an allowed request takes its cost from this bucket.
	 * @param seen the numbers seen of the bucket, for this cost
	 * @param replayed whether the request is a known replay
	 * @param nowMillis the time
	 * @return whether the cost is taken
	 */
	public boolean takes(long[] seen, boolean replayed, long nowMillis) {
		return this.cost > 0 && !waived(replayed) && fits(seen, nowMillis);
	}

	/**
	 * The verdict on this charge.
	 * @param seen the numbers seen of the bucket before the decision, for this cost
	 * @param allowed whether the request was allowed
	 * @param replayed whether the request is a known replay
	 * @param nowMillis the time of the decision
	 * @return the verdict
	 */
	public Verdict verdict(long[] seen, boolean allowed, boolean replayed, long nowMillis) {
		boolean charged = allowed && takes(seen, replayed, nowMillis);
		long requested = (waived(replayed)) ? 0 : this.cost;
		BucketSnapshot reading = this.bucket.family().calculator().read(seen, requested, charged, nowMillis);
		return new Verdict(this.bucket.family().policy(), outcome(reading.fits(), replayed), this.cost,
				reading.remaining(), reading.retryAfterMillis(), reading.resetAfterMillis(), reading.nextUnitMillis(),
				(this.stance.rejects()) ? reading.delayMillis() : 0);
	}

	private Outcome outcome(boolean fits, boolean replayed) {
		if (waived(replayed)) {
			return Outcome.REPLAYED;
		}
		return (fits && this.stance != Stance.MARKING) ? Outcome.ALLOWED : this.stance.excess();
	}

	private boolean fits(long[] seen, long nowMillis) {
		return this.bucket.family().calculator().fits(seen, this.cost, nowMillis);
	}

	private boolean waived(boolean replayed) {
		return replayed && this.replayable;
	}

}
