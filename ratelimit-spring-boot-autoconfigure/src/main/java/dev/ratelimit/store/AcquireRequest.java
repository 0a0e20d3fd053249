package dev.ratelimit.store;

import java.util.List;
import java.util.Optional;

/**
 * The charges of one request in the store in one phase. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param charges one charge per bucket, no bucket twice, at least one charge
 * @param marker the request's replay marker, if it carries an idempotency key that a rule
 * uses
 * @param deadlineNanos the {@link Time} after which the result is not needed
 * @param hasWaited whether the request has waited in a queue until the exhausted bucket
 * may allow it, so that a rejection of another request does not apply to it
 * @since 0.1.0
 */
public record AcquireRequest(List<Charge> charges, Optional<ReplayMarker> marker, long deadlineNanos,
		boolean hasWaited) {

	public AcquireRequest {
		if (charges.isEmpty()) {
			throw new IllegalArgumentException("at least one charge is required");
		}
		for (int i = 1; i < charges.size(); i++) {
			requireNew(charges, i);
		}
	}

	/**
	 * Create a request that has not waited.
	 * @param charges one charge per bucket, no bucket twice, at least one charge
	 * @param marker the request's replay marker, if it has one
	 * @param deadlineNanos the {@link Time} after which the result is not needed
	 */
	public AcquireRequest(List<Charge> charges, Optional<ReplayMarker> marker, long deadlineNanos) {
		this(charges, marker, deadlineNanos, false);
	}

	/**
	 * Return a request with some of the charges of this request.
	 * @param part the charges
	 * @return a request without replay marker, until the same deadline
	 */
	public AcquireRequest with(List<Charge> part) {
		return new AcquireRequest(part, Optional.empty(), this.deadlineNanos, this.hasWaited);
	}

	/**
	 * Return this request with another deadline.
	 * @param nanos the {@link Time} after which the result is not needed
	 * @return the request
	 */
	public AcquireRequest until(long nanos) {
		return new AcquireRequest(this.charges, this.marker, nanos, this.hasWaited);
	}

	/**
	 * Return this request after it has waited in a queue.
	 * @return the request
	 */
	public AcquireRequest waited() {
		return new AcquireRequest(this.charges, this.marker, this.deadlineNanos, true);
	}

	/**
	 * Whether units are to be leased.
	 * @return whether any charge leases
	 */
	public boolean leases() {
		for (int i = 0; i < this.charges.size(); i++) {
			if (this.charges.get(i).lease().units() > 0) {
				return true;
			}
		}
		return false;
	}

	private static void requireNew(List<Charge> charges, int index) {
		for (int i = 0; i < index; i++) {
			if (charges.get(i).bucket().equals(charges.get(index).bucket())) {
				throw new IllegalArgumentException("each bucket can be charged only once");
			}
		}
	}

}
