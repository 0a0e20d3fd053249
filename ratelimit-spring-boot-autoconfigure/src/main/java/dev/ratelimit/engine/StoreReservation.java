package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reservation;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * What a store has charged for one admitted request. Costs nothing until it is used.
 */
final class StoreReservation implements Reservation {

	private final LimitStore store;

	private final List<AppliedRule> uses;

	private final AcquireResult result;

	/** What stands charged, for each charge; made when it is first needed. */
	private long @Nullable [] standing;

	/** Whether the replay marker is taken back: the next one of its name is another's. */
	private boolean forgotten;

	StoreReservation(LimitStore store, List<AppliedRule> uses, AcquireResult result) {
		this.store = store;
		this.uses = uses;
		this.result = result;
	}

	@Override
	public CompletionStage<Void> settle(long actual) {
		return correct((charge) -> !isHeld(charge) && isEstimated(charge), actual);
	}

	@Override
	public CompletionStage<Void> settle(String ruleId, long actual) {
		return correct((charge) -> !isHeld(charge) && policy(charge).ruleId().equals(ruleId), actual);
	}

	@Override
	public CompletionStage<Void> release() {
		return correct(StoreReservation::isHeld, 0);
	}

	@Override
	public CompletionStage<Void> release(String ruleId) {
		return correct((charge) -> isHeld(charge) && policy(charge).ruleId().equals(ruleId), 0);
	}

	@Override
	public CompletionStage<Void> cancel() {
		return correct((charge) -> true, 0);
	}

	private CompletionStage<Void> correct(Predicate<Charge> which, long actual) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' (" + actual + ") must not be negative");
		}
		Change change = change(which, actual);
		if (change.forgets()) {
			return this.store.release(this.result.returning(change.returned()));
		}
		List<Settlement> settlements = settlements(change.units());
		return (settlements.isEmpty()) ? CompletableFuture.completedFuture(null) : this.store.settle(settlements);
	}

	// Once nothing is paid under a replay marker any more, a retry pays like a first
	// attempt. The store takes back both in one call.
	private synchronized Change change(Predicate<Charge> which, long actual) {
		long[] charged = standing();
		long[] units = new long[charged.length];
		for (int i = 0; i < charged.length; i++) {
			if (isCharged(i) && which.test(this.result.request().charges().get(i))) {
				units[i] = actual - charged[i];
				charged[i] = actual;
			}
		}
		boolean forgets = !this.forgotten && refundsAllMarked(units, charged);
		this.forgotten |= forgets;
		return new Change(units, forgets);
	}

	private boolean refundsAllMarked(long[] units, long[] charged) {
		boolean refunds = false;
		for (int i = 0; i < charged.length; i++) {
			if (this.result.charge(i).marked() && isCharged(i)) {
				if (charged[i] > 0) {
					return false;
				}
				refunds |= units[i] < 0;
			}
		}
		return refunds;
	}

	private List<Settlement> settlements(long[] units) {
		List<Settlement> settlements = new ArrayList<>(units.length);
		for (int i = 0; i < units.length; i++) {
			if (units[i] != 0) {
				settlements.add(this.result.charge(i).settlement(units[i]));
			}
		}
		return settlements;
	}

	private long[] standing() {
		if (this.standing == null) {
			this.standing = this.result.verdicts().stream().mapToLong(Verdict::cost).toArray();
		}
		return this.standing;
	}

	// A charge that a replay waived, or that a watching rule could not take, is none.
	private boolean isCharged(int index) {
		return this.result.verdicts().get(index).outcome() == Outcome.ALLOWED;
	}

	private boolean isEstimated(Charge charge) {
		return this.uses.stream()
			.anyMatch((use) -> use.estimated() && use.rule().rule().id().equals(policy(charge).ruleId()));
	}

	private static boolean isHeld(Charge charge) {
		return policy(charge).concurrent();
	}

	private static Policy policy(Charge charge) {
		return charge.bucket().family().policy();
	}

	/**
	 * What a correction changes.
	 *
	 * @param units what to add to each charge; negative to refund
	 * @param forgets whether the replay marker is taken back
	 */
	private record Change(long[] units, boolean forgets) {

		long[] returned() {
			return Arrays.stream(this.units).map((added) -> -added).toArray();
		}

	}

}
