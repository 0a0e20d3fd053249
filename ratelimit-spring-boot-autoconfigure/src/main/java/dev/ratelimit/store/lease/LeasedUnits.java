package dev.ratelimit.store.lease;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The leased units of this instance: those that it holds, how more are leased, and the
 * buckets that have none. Thread-safe.
 */
final class LeasedUnits {

	private final StoreStage store;

	private final Time time;

	private final Leases leases;

	private final ExhaustionTracker scarcity;

	private final LeasePlanner planner;

	LeasedUnits(StoreStage store, LeaseSettings settings, Time time) {
		this.store = store;
		this.time = time;
		this.leases = new Leases(store, settings);
		this.scarcity = new ExhaustionTracker(time);
		this.planner = new LeasePlanner(store, settings, time, this.leases, this.scarcity);
	}

	/**
	 * Whether a charge may be taken from a lease.
	 * @param charge the charge
	 * @return whether its bucket may be leased, and it takes something
	 */
	static boolean leased(Charge charge) {
		return charge.consistency() != Consistency.STRICT && charge.cost() > 0 && charge.mayReject()
				&& charge.bucket().family().arithmetic().supportsLeasing();
	}

	LeaseStatus status() {
		return this.leases.status();
	}

	long nowNanos() {
		return this.time.nanos();
	}

	@Nullable Lease find(Bucket bucket) {
		return this.leases.find(bucket);
	}

	void tidy(Bucket bucket, long nowNanos) {
		this.leases.tidy(bucket, nowNanos);
	}

	/**
	 * The verdict on a charge that is known not to fit. A request that has waited is sent
	 * to the store: what rejected others may be over for it.
	 * @param charge the charge
	 * @param request its request
	 * @return the verdict, if it is known
	 */
	Optional<Verdict> rejection(Charge charge, AcquireRequest request) {
		return (leased(charge) && !request.hasWaited()) ? this.scarcity.verdict(charge) : Optional.empty();
	}

	PlannedLease plan(Charge charge, long nowNanos) {
		return this.planner.plan(charge, charge.cost(), nowNanos);
	}

	void granted(PlannedLease plan, AcquireResult result, int index) {
		this.planner.granted(plan, result, index);
	}

	/**
	 * Call the store.
	 * @param request what is not held, and what is to be leased
	 * @return the result of the store, of which nothing is learnt yet
	 */
	CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		status().remote.increment();
		return this.store.acquire(request);
	}

	void learn(AcquireResult result, long sentNanos) {
		if (result.source() == Source.REMOTE) {
			this.scarcity.learn(result, sentNanos);
		}
	}

	/**
	 * Account for units that were taken for good, and fetch more if few are left.
	 * @param lease what they were taken from
	 * @param charge the charge
	 * @param left units that were left
	 * @param nowNanos the time
	 */
	void spent(Lease lease, Charge charge, long left, long nowNanos) {
		status().spent.add(charge.cost());
		if (lease.runsLow(left)) {
			refill(charge, nowNanos);
		}
	}

	void refill(Charge charge, long nowNanos) {
		this.planner.refill(charge, nowNanos);
	}

	/**
	 * Put back units that were taken for a decision that has failed.
	 * @param lease what they were taken from
	 * @param units how many
	 * @param takenAtMillis the store's time of the lease
	 */
	void putBack(Lease lease, long units, long takenAtMillis) {
		if (!lease.refund(units, takenAtMillis, nowNanos())) {
			// It has come to its end meanwhile.
			status().expired.add(units);
		}
	}

	/**
	 * Keep here what a correction refunds.
	 * @param settlement the correction
	 * @return whether it is done; if not, or if a failure policy made the charge, the
	 * store has to do it
	 */
	boolean settle(Settlement settlement) {
		if (settlement.units() >= 0 || settlement.bucket().isFallback()) {
			return false;
		}
		this.scarcity.forget(settlement.bucket());
		Lease lease = find(settlement.bucket());
		boolean here = lease != null && lease.terms().family() == settlement.bucket().family()
				&& lease.refund(-settlement.units(), settlement.takenAtMillis(), nowNanos());
		if (here) {
			status().refunded.add(-settlement.units());
		}
		return here;
	}

	void drop(Bucket bucket) {
		this.leases.drop(bucket);
		this.scarcity.forget(bucket);
	}

	void sweep() {
		this.leases.sweep(nowNanos());
	}

	CompletableFuture<?> closeAll() {
		return this.leases.closeAll();
	}

	/**
	 * This instance as a holder of leases: knows its demand, requests as much as that
	 * needs, and keeps what was leased. Thread-safe.
	 */
	private static final class LeasePlanner {

		private static final Log logger = LogFactory.getLog(LeasePlanner.class);

		private final StoreStage store;

		private final LeaseSettings settings;

		private final Time time;

		private final Leases leases;

		private final ExhaustionTracker scarcity;

		private final DemandRates rates = new DemandRates();

		LeasePlanner(StoreStage store, LeaseSettings settings, Time time, Leases leases, ExhaustionTracker scarcity) {
			this.store = store;
			this.settings = settings;
			this.time = time;
			this.leases = leases;
			this.scarcity = scarcity;
		}

		/**
		 * Record what is requested of the store, and work out what to lease on the way.
		 * @param charge the charge on a bucket that may be leased
		 * @param cost what goes to the store now
		 * @param nowNanos the time
		 * @return what to lease
		 */
		PlannedLease plan(Charge charge, long cost, long nowNanos) {
			return PlannedLease.of(this.leases, this.settings, this.rates, charge, cost, nowNanos);
		}

		/**
		 * Keep what was leased.
		 * @param plan what was to be leased
		 * @param result the result of the store
		 * @param index the number of the charge in it
		 */
		void granted(PlannedLease plan, AcquireResult result, int index) {
			plan.responded(result, index, this.time.nanos());
			if (result.source() == Source.REMOTE && plan.scarce(result, index)) {
				this.scarcity.nothingLeased(plan.charge(), result.verdicts().get(index));
			}
		}

		/**
		 * Lease ahead of need. No request waits for it.
		 * @param charge a charge on the bucket
		 * @param nowNanos the time
		 */
		void refill(Charge charge, long nowNanos) {
			PlannedLease plan = plan(charge, 0, nowNanos);
			if (plan.none()) {
				return;
			}
			this.leases.status().refills.increment();
			AcquireRequest request = new AcquireRequest(List.of(plan.charge(0)), Optional.empty(),
					this.time.nanos() + this.settings.timeout().toNanos());
			try {
				this.store.acquire(request).whenComplete((result, failure) -> {
					if (result != null) {
						granted(plan, result, 0);
					}
					else {
						plan.failed();
					}
				});
			}
			catch (RuntimeException ex) {
				logger.debug("Failed to lease units", ex);
				plan.failed();
			}
		}

	}

}
