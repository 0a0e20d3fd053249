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
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The leased units of this instance, the planner that leases more units, and the
 * exhausted buckets. Thread-safe.
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
	 * @return whether its bucket may be leased and its cost is not 0
	 */
	static boolean leased(Charge charge) {
		return charge.consistency() != Consistency.STRICT && charge.cost() > 0 && charge.mayReject()
				&& charge.bucket().family().calculator().supportsLeasing();
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
	 * Return the verdict on a charge that is known not to fit. A request that has waited
	 * is sent to the store, because earlier rejections may not apply to it.
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
	 * @param request the charges without a lease, and the units to lease
	 * @return the result of the store, which is not recorded yet
	 */
	CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		status().remote.increment();
		return this.store.acquire(request);
	}

	void learn(AcquireResult result, long sentNanos) {
		if (result.source() == Source.REMOTE) {
			this.scarcity.learn(result, sentNanos);
		}
		else if (result instanceof CombinedResult combined) {
			combined.parts().forEach((part) -> learn(part.result(), sentNanos));
		}
	}

	/**
	 * Count units that were spent, and lease more units if few remain.
	 * @param lease the lease of the units
	 * @param charge the charge
	 * @param left the remaining units
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
	 * Put back units that were taken for a request that failed or was rejected.
	 * @param lease the lease of the units
	 * @param units the number of units
	 * @param takenAtMillis the store's time of the lease
	 */
	void putBack(Lease lease, long units, long takenAtMillis) {
		if (!lease.refund(units, takenAtMillis, nowNanos())) {
			// The lease has ended meanwhile, or more units are being leased.
			this.leases.refund(lease.bucket(), takenAtMillis, units);
		}
	}

	/**
	 * Refund the units of a correction to the lease.
	 * @param settlement the correction
	 * @return whether the units were refunded; if not, or if a failure policy made the
	 * charge, the store must correct it
	 */
	boolean settle(Settlement settlement) {
		if (settlement.units() >= 0 || settlement.bucket().isFallback()) {
			return false;
		}
		this.scarcity.forget(settlement.bucket());
		Lease lease = find(settlement.bucket());
		long nowNanos = nowNanos();
		boolean here = lease != null && lease.terms().family() == settlement.bucket().family()
				&& lease.terms().counts(settlement.takenAtMillis(), nowNanos)
				&& lease.refund(-settlement.units(), settlement.takenAtMillis(), nowNanos);
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
	 * Leases units for this instance: measures the demand, requests the units that the
	 * demand needs, and keeps the leased units. Thread-safe.
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
		 * Record the demand, and compute the units to lease with the next call.
		 * @param charge the charge on a bucket that may be leased
		 * @param cost the units that are charged to the store now
		 * @param nowNanos the time
		 * @return the planned lease
		 */
		PlannedLease plan(Charge charge, long cost, long nowNanos) {
			return PlannedLease.of(this.leases, this.settings, this.rates, charge, cost, nowNanos);
		}

		/**
		 * Keep the leased units.
		 * @param plan the planned lease
		 * @param result the result of the store
		 * @param index the number of the charge in it
		 */
		void granted(PlannedLease plan, AcquireResult result, int index) {
			plan.responded(result, index, this.time.nanos());
			if (result.charge(index).source() == Source.REMOTE && plan.scarce(result, index)) {
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
