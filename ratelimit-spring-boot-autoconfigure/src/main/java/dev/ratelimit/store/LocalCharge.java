package dev.ratelimit.store;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Policy;
import dev.ratelimit.Reservation;
import dev.ratelimit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a charge of one bucket that was decided without a call. A rejection charges
 * nothing. It is both the list of its only verdict and the reservation that corrects it,
 * to save allocations. The verdict is created when it is read, because most code only
 * reads whether a request is allowed. Thread-safe.
 */
public abstract class LocalCharge extends AbstractList<Verdict> implements Reservation {

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final ReservationTerms reservation;

	private final Bucket bucket;

	private final long cost;

	/**
	 * Immutable. If several threads create it concurrently, all of them create equal
	 * verdicts.
	 */
	private @Nullable Verdict verdict;

	/** The units that are charged after a correction; null before the first one. */
	private @Nullable Long current;

	/**
	 * Create a charge that was taken.
	 * @param reservation the terms of corrections
	 * @param bucket the charged bucket
	 * @param cost units
	 */
	protected LocalCharge(ReservationTerms reservation, Bucket bucket, long cost) {
		this.reservation = reservation;
		this.bucket = bucket;
		this.cost = cost;
	}

	/**
	 * Whether the cost fitted and was charged.
	 * @return false for a rejection, which charged nothing and is not corrected
	 */
	public boolean allowed() {
		return true;
	}

	/**
	 * Create the verdict from the numbers seen at the time of the charge.
	 * @param cost units
	 * @return the verdict, equal on each call
	 */
	protected abstract Verdict verdict(long cost);

	/**
	 * The limit that was charged.
	 * @return the limit
	 */
	protected abstract Policy policy();

	/**
	 * The time of the charge.
	 * @return milliseconds, by the store's time
	 */
	protected abstract long takenAtMillis();

	@Override
	public final Verdict get(int index) {
		Objects.checkIndex(index, 1);
		Verdict made = this.verdict;
		if (made == null) {
			made = verdict(this.cost);
			this.verdict = made;
		}
		return made;
	}

	@Override
	public final int size() {
		return 1;
	}

	@Override
	public final CompletionStage<Void> settle(long actual) {
		return correct(actual, this.reservation.estimated());
	}

	@Override
	public final CompletionStage<Void> settle(String ruleId, long actual) {
		return correct(actual, policy().ruleId().equals(ruleId));
	}

	// A local charge holds no slot.
	@Override
	public final CompletionStage<Void> release() {
		return DONE;
	}

	@Override
	public final CompletionStage<Void> cancel() {
		return correct(0, true);
	}

	private CompletionStage<Void> correct(long actual, boolean concerned) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' (" + actual + ") must not be negative");
		}
		long units = (concerned && allowed()) ? change(actual) : 0;
		return (units == 0) ? DONE
				: this.reservation.store().settle(List.of(new Settlement(this.bucket, takenAtMillis(), units)));
	}

	private synchronized long change(long actual) {
		long before = (this.current != null) ? this.current : this.cost;
		this.current = actual;
		return actual - before;
	}

	// Two charges are different reservations, even if their verdicts are equal.
	@Override
	public final boolean equals(@Nullable Object other) {
		return (other instanceof LocalCharge) ? this == other : super.equals(other);
	}

	@Override
	public final int hashCode() {
		return super.hashCode();
	}

}
