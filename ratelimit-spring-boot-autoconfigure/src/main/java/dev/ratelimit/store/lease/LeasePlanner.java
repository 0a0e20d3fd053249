package dev.ratelimit.store.lease;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * This instance as one that leases: knows its demand, asks for as much as that needs, and
 * keeps what was leased. Thread-safe.
 */
final class LeasePlanner {

	private static final Log logger = LogFactory.getLog(LeasePlanner.class);

	private final LimitStore store;

	private final LeaseSettings settings;

	private final Time time;

	private final Leases leases;

	private final ExhaustionTracker scarcity;

	private final DemandRates rates = new DemandRates();

	LeasePlanner(LimitStore store, LeaseSettings settings, Time time, Leases leases, ExhaustionTracker scarcity) {
		this.store = store;
		this.settings = settings;
		this.time = time;
		this.leases = leases;
		this.scarcity = scarcity;
	}

	/**
	 * Note what is asked of the store, and work out what to lease on the way.
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
	 * Borrow ahead of need. Nobody waits for it.
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
				this.time.nanos() + this.settings.patience().toNanos());
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
