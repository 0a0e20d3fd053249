package dev.ratelimit.store.lease;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReservationTerms;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shortest way to each decision: most are about one bucket, of which enough
 * units are held. Thread-safe.
 */
final class LeasedDecisions {

	private final LimitStore store;

	private final LeasedUnits units;

	LeasedDecisions(LimitStore store, LeasedUnits units) {
		this.store = store;
		this.units = units;
	}

	CompletableFuture<AcquireResult> decide(AcquireRequest request) {
		List<Charge> charges = request.charges();
		// Who may have paid already must not pay here, so the store says what is to pay.
		if (request.marker().isPresent()) {
			return this.store.acquire(request);
		}
		return (charges.size() == 1) ? one(request, charges.get(0)) : several(request);
	}

	@Nullable LocalCharge charge(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		Lease lease = (terms.consistency() != Consistency.STRICT) ? this.units.find(new Bucket(family, subject)) : null;
		if (lease == null || lease.bucket().family() != family) {
			return null;
		}
		long nowNanos = this.units.nowNanos();
		LeaseTerms known = lease.terms();
		long left = lease.take(known, family, cost, nowNanos);
		if (left == Lease.MISS) {
			return null;
		}
		spent(cost);
		if (lease.runsLow(left)) {
			this.units.refill(terms.charge(lease.bucket(), cost), nowNanos);
		}
		return new LeasedCharge(reservation, lease.bucket(), cost, known, left, nowNanos);
	}

	private CompletableFuture<AcquireResult> one(AcquireRequest request, Charge charge) {
		if (!LeasedUnits.leased(charge)) {
			return this.store.acquire(request);
		}
		long nowNanos = this.units.nowNanos();
		Lease lease = this.units.find(charge.bucket());
		if (lease == null) {
			return cold(request, charge, nowNanos);
		}
		LeaseTerms known = lease.terms();
		long left = lease.take(known, charge.bucket().family(), charge.cost(), nowNanos);
		if (left == Lease.MISS) {
			return several(request);
		}
		spent(charge.cost());
		if (lease.runsLow(left)) {
			this.units.refill(charge, nowNanos);
		}
		return CompletableFuture.completedFuture(AcquireResult.of(request, true, Source.LOCAL, known.takenAtMillis(),
				List.of(known.verdict(charge.cost(), left, nowNanos))));
	}

	private void spent(long cost) {
		LeaseStatus status = this.units.status();
		status.spent.add(cost);
		status.local.increment();
	}

	// Nothing is held of the bucket. Unless it is busy, it costs what a strict one costs.
	private CompletableFuture<AcquireResult> cold(AcquireRequest request, Charge charge, long nowNanos) {
		this.units.tidy(charge.bucket(), nowNanos);
		if (this.units.refusal(charge, request).isPresent()) {
			return several(request);
		}
		PlannedLease plan = this.units.plan(charge, nowNanos);
		if (!plan.none()) {
			return new LeasedDecision(this.units, request, nowNanos).start(plan);
		}
		return this.units.ask(request).whenComplete((result, failure) -> {
			if (result != null) {
				this.units.learn(result, nowNanos);
			}
		});
	}

	private CompletableFuture<AcquireResult> several(AcquireRequest request) {
		for (Charge charge : request.charges()) {
			if (LeasedUnits.leased(charge)) {
				return new LeasedDecision(this.units, request, this.units.nowNanos()).start();
			}
		}
		return this.store.acquire(request);
	}

}
