package dev.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The charges of an allowed request, which can be corrected: charge an estimate, do the
 * work, then settle the actual usage. Corrections are relative to the current charge, so
 * settling the same number twice has no further effect. They are sent immediately. If the
 * store is unavailable, corrections of its charges are lost, and these charges remain.
 * Corrections of charges that a failure policy has made in this process are applied.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public interface Reservation {

	/** A reservation of nothing, because nothing was charged. */
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
	 * Correct the charges of all rules whose cost comes from the request, which is an
	 * estimate.
	 * @param actual the actual units, at least 0; units beyond the estimate become debt,
	 * of at most one capacity
	 * @return completed when the store has applied the change; fails if the store is
	 * unavailable
	 * @throws IllegalArgumentException if the number is negative
	 */
	CompletionStage<Void> settle(long actual);

	/**
	 * Correct the charge of one rule.
	 * @param ruleId the id of the rule; if it was not charged, nothing happens
	 * @param actual the actual units, at least 0; units beyond the charge become debt, of
	 * at most one capacity
	 * @return completed when the store has applied the change; fails if the store is
	 * unavailable
	 * @throws IllegalArgumentException if the number is negative
	 */
	CompletionStage<Void> settle(String ruleId, long actual);

	/**
	 * Release the slots of {@code concurrency} limits. For requests, this happens
	 * automatically on completion. Code that calls {@link RateLimiter} must call it when
	 * the work is done.
	 * @return completed when the store has applied the change; fails if the store is
	 * unavailable
	 */
	CompletionStage<Void> release();

	/**
	 * Release the slots of one rule. The default implementation releases the slots of all
	 * rules.
	 * @param ruleId the id of the rule
	 * @return completed when the store has applied the change; fails if the store is
	 * unavailable
	 */
	default CompletionStage<Void> release(String ruleId) {
		return release();
	}

	/**
	 * Refund all charges, because the work was not done.
	 * @return completed when the store has applied the change; fails if the store is
	 * unavailable
	 */
	CompletionStage<Void> cancel();

	/**
	 * Combine this reservation with another one.
	 * @param other the other one
	 * @return the combined reservation
	 */
	default Reservation and(Reservation other) {
		if (this == NONE || other == NONE) {
			return (this == NONE) ? other : this;
		}
		return new CompositeReservation(List.of(this, other));
	}

}
