package dev.ratelimit.store;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Reservation;
import dev.ratelimit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Internal: what was charged to one bucket on the spot: the list of its only verdict, and
 * the reservation by which it is corrected. One object, since a decision is made of
 * little else. Thread-safe.
 */
public final class LocalCharge extends AbstractList<Verdict> implements Reservation {

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final ReservationTerms reservation;

	private final Bucket bucket;

	private final long takenAtMillis;

	private final Verdict verdict;

	/** What stands charged, once it was corrected. */
	private @Nullable Long standing;

	/**
	 * A charge that was taken.
	 * @param reservation how it is corrected
	 * @param bucket from which bucket
	 * @param takenAtMillis when, by the store's time
	 * @param verdict what came of it
	 */
	public LocalCharge(ReservationTerms reservation, Bucket bucket, long takenAtMillis, Verdict verdict) {
		this.reservation = reservation;
		this.bucket = bucket;
		this.takenAtMillis = takenAtMillis;
		this.verdict = verdict;
	}

	@Override
	public Verdict get(int index) {
		Objects.checkIndex(index, 1);
		return this.verdict;
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public CompletionStage<Void> settle(long actual) {
		return correct(actual, this.reservation.estimated());
	}

	@Override
	public CompletionStage<Void> settle(String ruleId, long actual) {
		return correct(actual, this.verdict.policy().ruleId().equals(ruleId));
	}

	// It holds nothing while the request is under way.
	@Override
	public CompletionStage<Void> release() {
		return DONE;
	}

	@Override
	public CompletionStage<Void> cancel() {
		return correct(0, true);
	}

	private CompletionStage<Void> correct(long actual, boolean concerned) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' (" + actual + ") must not be negative");
		}
		long units = (concerned) ? change(actual) : 0;
		return (units == 0) ? DONE
				: this.reservation.store().settle(List.of(new Settlement(this.bucket, this.takenAtMillis, units)));
	}

	private synchronized long change(long actual) {
		long before = (this.standing != null) ? this.standing : this.verdict.cost();
		this.standing = actual;
		return actual - before;
	}

	// Two charges are two, however alike their verdicts are.
	@Override
	public boolean equals(@Nullable Object other) {
		return (other instanceof LocalCharge) ? this == other : super.equals(other);
	}

	@Override
	public int hashCode() {
		return super.hashCode();
	}

}
