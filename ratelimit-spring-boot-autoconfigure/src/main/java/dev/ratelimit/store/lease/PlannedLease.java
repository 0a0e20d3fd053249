package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeResult;
import dev.ratelimit.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * The units that a charge leases while it calls the store, and the consequences of the
 * response. Used for one call.
 */
final class PlannedLease {

	/** The time for which nothing is leased of a bucket that has no units to spare. */
	private static final long BARREN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/**
	 * The minimum number of leased units that is worth a call, if many units are spent.
	 */
	private static final long MIN_LEASE = 4;

	/**
	 * The minimum number of requests that a lease must serve to save more than it costs.
	 */
	private static final long MIN_REQUESTS = 2;

	private final Leases leases;

	private final LeaseSettings settings;

	private final Charge charge;

	private final long nowNanos;

	private final double perSecond;

	private final @Nullable Lease lease;

	private final LeaseRequest wanted;

	private PlannedLease(Leases leases, LeaseSettings settings, Charge charge, long nowNanos, double perSecond,
			@Nullable Lease lease, LeaseRequest wanted) {
		this.leases = leases;
		this.settings = settings;
		this.charge = charge;
		this.nowNanos = nowNanos;
		this.perSecond = perSecond;
		this.lease = lease;
		this.wanted = wanted;
	}

	/**
	 * Compute the units to lease: the demand for some time ahead. No units are leased if
	 * the demand is low or if another request is leasing already.
	 * @param leases the leases
	 * @param settings the settings for leasing units
	 * @param rates the recent demand
	 * @param charge the charge on a bucket that may be leased
	 * @param cost the units that are charged to the store now
	 * @param nowNanos the time
	 * @return the planned lease
	 */
	static PlannedLease of(Leases leases, LeaseSettings settings, DemandRates rates, Charge charge, long cost,
			long nowNanos) {
		Lease existing = leases.find(charge.bucket());
		boolean free = existing == null || existing.beginLeasing(nowNanos);
		long held = (existing != null) ? existing.unspent() : 0;
		long spent = (existing != null && free) ? existing.spentSince() : 0;
		double perSecond = rates.record(charge.bucket(), cost + spent, nowNanos);
		long units = units(settings, charge, perSecond) - held;
		Lease lease = existing;
		if (free && units > 0 && existing == null) {
			lease = leases.open(charge.bucket(), nowNanos);
			free = lease != null && lease.beginLeasing(nowNanos);
		}
		if (lease == null || !free || units <= 0) {
			if (existing != null && free) {
				existing.refillLater();
				existing.endLeasing();
			}
			return new PlannedLease(leases, settings, charge, nowNanos, perSecond, null, LeaseRequest.NONE);
		}
		return new PlannedLease(leases, settings, charge, nowNanos, perSecond, lease,
				new LeaseRequest(lease.holder(), units, held, settings.leaseMillis()));
	}

	private static long units(LeaseSettings settings, Charge charge, double perSecond) {
		if (charge.consistency() == Consistency.AUTO && perSecond < settings.hotPerSecond()) {
			return 0;
		}
		long ahead = (long) (perSecond * settings.ahead().toMillis() / 1000);
		// A single request does not make a demand, even if its cost is high.
		return (ahead >= MIN_REQUESTS * charge.cost()) ? ahead : 0;
	}

	boolean none() {
		return this.lease == null;
	}

	/**
	 * Whether hardly any units were leased although many more were requested.
	 * @param result the result of the store
	 * @param index the number of the charge in it
	 * @return whether the bucket is nearly exhausted
	 */
	boolean scarce(AcquireResult result, int index) {
		return this.wanted.units() >= 2 * MIN_LEASE && result.allowed() && result.charge(index).leased() < MIN_LEASE
				&& result.verdicts().get(index).remaining() < this.wanted.units();
	}

	Charge charge() {
		return this.charge;
	}

	Charge charge(long cost) {
		return (this.lease != null) ? this.charge.leasing(cost, this.wanted) : this.charge;
	}

	/**
	 * Keep the leased units.
	 * @param result the result of the store
	 * @param index the number of the charge in it
	 * @param laterNanos the time of the result
	 */
	void responded(AcquireResult result, int index, long laterNanos) {
		Lease target = this.lease;
		if (target == null) {
			return;
		}
		ChargeResult charged = result.charge(index);
		// Even if no units were leased, the store has recorded the number of held units.
		// A failure policy may have decided other charges.
		if (result.allowed() && charged.source() == Source.REMOTE) {
			keep(target, result, index, laterNanos);
		}
		if (charged.leased() == 0) {
			target.refillLater();
			// The next call after a rejection is made when units have refilled.
			target.barrenUntil((result.allowed()) ? laterNanos + BARREN_NANOS : laterNanos);
		}
		target.endLeasing();
	}

	private void keep(Lease target, AcquireResult result, int index, long laterNanos) {
		ChargeResult charged = result.charge(index);
		long units = charged.leased();
		LeaseStatus status = this.leases.status();
		status.granted.add(units);
		long expired = target.leased(terms(target, result, index, laterNanos), units,
				refillAt(result, index, laterNanos), laterNanos);
		if (expired == Lease.MISS && units > 0) {
			this.leases.returnLease(target, charged.takenAtMillis(), units);
		}
		else if (expired > 0) {
			status.expired.add(expired);
		}
	}

	// About the number of units that are spent until the store has responded. No units
	// are leased ahead of need from a nearly exhausted bucket, because each lease would
	// be small.
	private long refillAt(AcquireResult result, int index, long laterNanos) {
		long spare = result.verdicts().get(index).remaining() - result.charge(index).leased();
		double seconds = (laterNanos - this.nowNanos) / 1e9;
		return (spare < this.wanted.units()) ? 0 : 1 + (long) (this.perSecond * seconds);
	}

	private LeaseTerms terms(Lease target, AcquireResult result, int index, long laterNanos) {
		ChargeResult charged = result.charge(index);
		long[] seen = charged.seen().orElse(LimitCalculator.EMPTY);
		long takenAt = charged.takenAtMillis();
		long open = this.charge.bucket().family().calculator().openMillis(seen, takenAt);
		long lastsNanos = this.settings.length().toNanos();
		long since = Long.MIN_VALUE;
		if (open != Long.MAX_VALUE) {
			// The milliseconds of the store are rounded down.
			lastsNanos = Math.min(lastsNanos, TimeUnit.MILLISECONDS.toNanos(open - 1));
			// A lease never lasts beyond its window.
			boolean sameWindow = !target.terms().ended(laterNanos);
			since = (sameWindow) ? Math.min(target.terms().sinceMillis(), takenAt) : takenAt;
		}
		long cost = result.taken(index) ? result.verdicts().get(index).cost() : 0;
		return new LeaseTerms(this.charge.bucket().family(), takenAt, since, this.nowNanos, this.nowNanos + lastsNanos,
				seen, cost + charged.leased(), this.wanted.held() + charged.leased());
	}

	/** Record that there was no response. */
	void failed() {
		Lease target = this.lease;
		if (target != null) {
			target.refillLater();
			target.endLeasing();
		}
	}

}
