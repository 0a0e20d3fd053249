package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Reason;
import dev.ratelimit.Reservation;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import org.jspecify.annotations.Nullable;

/**
 * Creates decisions from verdicts that do not require the store, and from results of the
 * store.
 *
 * @param store the store, for corrections of charges
 */
record DecisionFactory(StoreStage store) {

	/**
	 * The rejection of a request from an address on the deny list, regardless of the
	 * rules.
	 */
	static final Decision DENY_LISTED = new Decision(false, Reason.DENY_LISTED, Source.LOCAL,
			List.of(Verdict.unmeasured(Policy.ANY, Outcome.DENY_LISTED, 1, Wait.NEVER)));

	/**
	 * The rejections of requests for lack of capacity of this instance, by the seconds to
	 * wait.
	 */
	private static final List<Decision> SHED = LongStream.rangeClosed(1, 5).mapToObj(DecisionFactory::shed).toList();

	private static Decision shed(long seconds) {
		return new Decision(false, Reason.SHED, Source.LOCAL,
				List.of(Verdict.unmeasured(Policy.ANY, Outcome.SHED, 1, TimeUnit.SECONDS.toMillis(seconds))));
	}

	// The retry time varies, so that clients do not return together.
	static Decision shed() {
		return SHED.get(ThreadLocalRandom.current().nextInt(SHED.size()));
	}

	static Decision keyMissing(CompiledRule rule) {
		List<Verdict> verdicts = List.of(Verdict.unmeasured(rule.policy(), Outcome.KEY_MISSING,
				rule.rule().numbers().cost().units(), Wait.NEVER));
		return new Decision(false, Reason.KEY_MISSING, Source.LOCAL, verdicts);
	}

	static Decision ofStatic(List<Verdict> verdicts) {
		return new Decision(!StaticVerdicts.reject(verdicts), StaticVerdicts.reason(verdicts), Source.LOCAL, verdicts);
	}

	/**
	 * A decision based on a result of the store.
	 * @param applied the rules that apply
	 * @param result the result of the store
	 * @param staticVerdicts the verdicts that do not require the store
	 * @return the decision
	 */
	Decision of(List<AppliedRule> applied, AcquireResult result, List<Verdict> staticVerdicts) {
		return new Decision(result.allowed(), reason(result), result.source(),
				StaticVerdicts.join(result.verdicts(), staticVerdicts), reservation(applied, result));
	}

	private Reservation reservation(List<AppliedRule> applied, AcquireResult result) {
		if (result.allowed() && has(result, Outcome.ALLOWED)) {
			return new StoreReservation(this.store, applied, result);
		}
		return (result.allowed() && result.replayed()) ? new ReplayReservation(this.store, result) : Reservation.NONE;
	}

	private static Reason reason(AcquireResult result) {
		if (result.source() == Source.FALLBACK && (result.allowed() || has(result, Outcome.FAILED_CLOSED))) {
			return Reason.STORE_UNAVAILABLE;
		}
		if (result.allowed()) {
			return (result.replayed()) ? Reason.REPLAYED : Reason.WITHIN_LIMITS;
		}
		return (neverFits(result)) ? Reason.COST_ABOVE_CAPACITY : Reason.LIMIT_EXCEEDED;
	}

	// A loop instead of a stream, because a stream would take as long as the in-memory
	// store.
	private static boolean has(AcquireResult result, Outcome outcome) {
		for (Verdict verdict : result.verdicts()) {
			if (verdict.outcome() == outcome) {
				return true;
			}
		}
		return false;
	}

	private static boolean neverFits(AcquireResult result) {
		for (Verdict verdict : result.verdicts()) {
			if (verdict.outcome() == Outcome.REJECTED && verdict.retryAfterMillis() == Wait.NEVER) {
				return true;
			}
		}
		return false;
	}

	/**
	 * A free replay. If it is not served, it does not count as one.
	 */
	private static final class ReplayReservation implements Reservation {

		private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

		private final StoreStage store;

		private final AtomicReference<@Nullable AcquireResult> result;

		ReplayReservation(StoreStage store, AcquireResult result) {
			this.store = store;
			this.result = new AtomicReference<>(result);
		}

		@Override
		public CompletionStage<Void> settle(long actual) {
			return DONE;
		}

		@Override
		public CompletionStage<Void> settle(String ruleId, long actual) {
			return DONE;
		}

		@Override
		public CompletionStage<Void> release() {
			return DONE;
		}

		@Override
		public CompletionStage<Void> cancel() {
			AcquireResult counted = this.result.getAndSet(null);
			return (counted != null) ? this.store.release(counted) : DONE;
		}

	}

	/**
	 * The charges of a store for one allowed request. Allocates no further memory until
	 * the first correction.
	 */
	private static final class StoreReservation implements SlotReservation {

		private static final Runnable NO_ACTION = () -> {
		};

		private final StoreStage store;

		private List<AppliedRule> uses;

		/** Null once all charges are handed over. */
		private @Nullable AcquireResult result;

		/**
		 * The units of each charge after all corrections; created at the first
		 * correction.
		 */
		private long @Nullable [] currentUnits;

		/**
		 * Whether the replay marker was removed. A later marker of this name belongs to
		 * another request.
		 */
		private boolean forgotten;

		StoreReservation(StoreStage store, List<AppliedRule> uses, AcquireResult result) {
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
		public void refund(Set<String> ruleIds) {
			correct((charge) -> !isHeld(charge) && ruleIds.contains(policy(charge).ruleId()), 0);
		}

		@Override
		public CompletionStage<Void> release() {
			return correct(StoreReservation::isHeld, 0);
		}

		@Override
		public CompletionStage<Void> release(String ruleId) {
			return correct((charge) -> isHeld(charge) && policy(charge).ruleId().equals(ruleId), 0);
		}

		// The store takes back a replay together with the charges, so that it does not
		// count as one.
		@Override
		public CompletionStage<Void> cancel() {
			AcquireResult charged = this.result;
			return (charged != null && charged.replayed() && refundAll(charged)) ? this.store.release(charged)
					: correct((charge) -> true, 0);
		}

		// Returns false if charges were corrected before.
		private synchronized boolean refundAll(AcquireResult charged) {
			boolean whole = this.currentUnits == null;
			if (whole) {
				this.currentUnits = new long[charged.verdicts().size()];
			}
			return whole;
		}

		@Override
		public Runnable handOver(String ruleId) {
			AcquireResult charged = this.result;
			if (charged == null) {
				return NO_ACTION;
			}
			Predicate<Charge> which = (charge) -> isHeld(charge) && policy(charge).ruleId().equals(ruleId);
			Change change = change(charged, which, 0);
			StoreStage owner = this.store;
			if (change.forgets()) {
				return () -> owner.release(charged.returning(change.returned()));
			}
			List<Settlement> settlements = List.copyOf(settlements(charged, change.units()));
			if (charged.request().charges().stream().allMatch(which)) {
				this.result = null;
				this.uses = List.of();
			}
			return (settlements.isEmpty()) ? NO_ACTION : () -> owner.settle(settlements);
		}

		private CompletionStage<Void> correct(Predicate<Charge> which, long actual) {
			if (actual < 0) {
				throw new IllegalArgumentException("'actual' (" + actual + ") must not be negative");
			}
			AcquireResult charged = this.result;
			if (charged == null) {
				return CompletableFuture.completedFuture(null);
			}
			Change change = change(charged, which, actual);
			if (change.forgets()) {
				return this.store.release(charged.returning(change.returned()));
			}
			List<Settlement> settlements = settlements(charged, change.units());
			return (settlements.isEmpty()) ? CompletableFuture.completedFuture(null) : this.store.settle(settlements);
		}

		// If a charge with the marker is refunded, the marker is removed, so that a retry
		// is charged. The store does both in one call. If a replay was free already, the
		// charge stands for it.
		private synchronized Change change(AcquireResult charged, Predicate<Charge> which, long actual) {
			long[] current = currentUnits(charged);
			long[] units = new long[current.length];
			for (int i = 0; i < current.length; i++) {
				if (isCharged(charged, i) && which.test(charged.request().charges().get(i))) {
					units[i] = actual - current[i];
					current[i] = actual;
				}
			}
			boolean forgets = !this.forgotten && refundsMarked(charged, units, current);
			this.forgotten |= forgets;
			return new Change(units, forgets);
		}

		// Rules that never reject, such as in shadow mode, do not influence other rules.
		private static boolean refundsMarked(AcquireResult charged, long[] units, long[] current) {
			for (int i = 0; i < current.length; i++) {
				if (units[i] < 0 && current[i] == 0 && isCharged(charged, i)
						&& charged.request().charges().get(i).mayReject() && charged.charge(i).marked()) {
					return true;
				}
			}
			return false;
		}

		private static List<Settlement> settlements(AcquireResult charged, long[] units) {
			List<Settlement> settlements = new ArrayList<>(units.length);
			for (int i = 0; i < units.length; i++) {
				if (units[i] != 0) {
					settlements.add(charged.charge(i).settlement(units[i]));
				}
			}
			return settlements;
		}

		private long[] currentUnits(AcquireResult charged) {
			if (this.currentUnits == null) {
				this.currentUnits = charged.verdicts().stream().mapToLong(Verdict::cost).toArray();
			}
			return this.currentUnits;
		}

		// Replays are not charged, nor are rules in shadow mode without remaining units.
		private static boolean isCharged(AcquireResult charged, int index) {
			return charged.verdicts().get(index).outcome() == Outcome.ALLOWED;
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
		 * The change that a correction makes.
		 *
		 * @param units the units to add to each charge; negative to refund
		 * @param forgets whether the replay marker is removed
		 */
		private record Change(long[] units, boolean forgets) {

			long[] returned() {
				return Arrays.stream(this.units).map((added) -> -added).toArray();
			}

		}

	}

}
