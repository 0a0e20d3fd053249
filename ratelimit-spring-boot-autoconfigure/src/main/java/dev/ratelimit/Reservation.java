package dev.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What an admitted request has been charged, by which it can be corrected afterwards:
 * reserve an estimate, do the work, settle what it really took. Corrections count from
 * what stands charged, so that settling twice with the same number changes nothing the
 * second time. They are sent at once; a store that is away loses them, and the charge
 * stands. What follows a returned stage may run on a thread of the store and must not
 * block there. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Reservation {

	/** Nothing was charged. */
	Reservation NONE = new Reservation() {

		@Override
		public CompletionStage<Void> settle(long actual) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletionStage<Void> settle(String ruleId, long actual) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletionStage<Void> release() {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletionStage<Void> cancel() {
			return CompletableFuture.completedFuture(null);
		}

	};

	/**
	 * Correct the charges of all rules whose cost was taken from the request, which is an
	 * estimate.
	 * @param actual the units that were really used, at least 0; beyond the estimate they
	 * go into debt, of at most one capacity
	 * @return completed when the store has it
	 */
	CompletionStage<Void> settle(long actual);

	/**
	 * Correct the charge of one rule.
	 * @param ruleId the rule; if it was not charged, nothing happens
	 * @param actual the units that were really used, at least 0; beyond the charge they
	 * go into debt, of at most one capacity
	 * @return completed when the store has it
	 */
	CompletionStage<Void> settle(String ruleId, long actual);

	/**
	 * Free what is held only while the work is under way. For requests this happens by
	 * itself when they are completed; who acquires in code does it when done.
	 * @return completed when the store has it
	 */
	CompletionStage<Void> release();

	/**
	 * Give back all that was charged, because the work is not done.
	 * @return completed when the store has it
	 */
	CompletionStage<Void> cancel();

	/**
	 * This reservation and another one as one.
	 * @param other the other one
	 * @return both
	 */
	default Reservation and(Reservation other) {
		if (this == NONE || other == NONE) {
			return (this == NONE) ? other : this;
		}
		return new CompositeReservation(List.of(this, other));
	}

}
