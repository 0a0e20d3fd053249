package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Consistency;
import dev.ratelimit.Policy;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the stage before a remote store that leases units. Units of busy buckets are
 * leased in advance, if their rules allow it, and spent without a call. The store has
 * charged all units before they are spent. Thread-safe.
 */
public final class LeasedLimitStore implements LocalLimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeasedLimitStore.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final long TIMEOUT_MILLIS = 200;

	private static final int SWEEPS_PER_LEASE = 8;

	private final StoreStage store;

	private final LeasedUnits units;

	private final LeasedDecisions decisions;

	private final Upkeep.Task sweeps;

	/**
	 * Create a stage that maintains its leases.
	 * @param store the store, which leases
	 * @param settings the settings for leasing units
	 * @param time the time
	 * @param upkeep runs the maintenance of the leases
	 */
	public LeasedLimitStore(StoreStage store, LeaseSettings settings, Time time, Upkeep upkeep) {
		this.store = store;
		this.units = new LeasedUnits(store, settings, time);
		this.decisions = new LeasedDecisions(store, this.units);
		Duration between = settings.length().dividedBy(SWEEPS_PER_LEASE);
		this.sweeps = upkeep.start(between, between, "Lease maintenance failed", this::sweep);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * Return the counts of leased units.
	 * @return the status
	 */
	public LeaseStatus status() {
		return this.units.status();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.decisions.decide(request);
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		if (family.isLocal()) {
			return (this.store instanceof LocalLimitStore local)
					? local.chargeLocally(family, subject, cost, terms, reservation) : null;
		}
		return this.decisions.charge(family, subject, cost, terms, reservation);
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		if (result.request().marker().isPresent()) {
			return this.store.release(result);
		}
		List<Settlement> refunds = result.refunds();
		return (refunds.isEmpty()) ? DONE : settle(refunds);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		List<Settlement> rest = new ArrayList<>(settlements);
		rest.removeIf(this.units::settle);
		return (rest.isEmpty()) ? DONE : this.store.settle(rest);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.store.returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.store.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.units::drop);
		return this.store.reset(buckets);
	}

	LeasedUnits units() {
		return this.units;
	}

	void sweep() {
		this.units.sweep();
	}

	@Override
	public void close() {
		this.sweeps.close();
		try {
			this.units.closeAll().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The result of a lease is unknown; its units are discarded", ex);
		}
	}

	/**
	 * A charge of leased units, with the terms of the lease.
	 */
	static final class LeasedCharge extends LocalCharge {

		private final LeaseTerms leaseTerms;

		private final long left;

		private final long nowNanos;

		LeasedCharge(ReservationTerms reservation, Bucket bucket, long cost, LeaseTerms leaseTerms, long left,
				long nowNanos) {
			super(reservation, bucket, cost);
			this.leaseTerms = leaseTerms;
			this.left = left;
			this.nowNanos = nowNanos;
		}

		@Override
		protected Verdict verdict(long cost) {
			return this.leaseTerms.verdict(cost, this.left, this.nowNanos);
		}

		@Override
		protected Policy policy() {
			return this.leaseTerms.family().policy();
		}

		@Override
		protected long takenAtMillis() {
			return this.leaseTerms.takenAtMillis();
		}

	}

	/**
	 * Makes each decision in the fastest way: most decisions need one bucket, and this
	 * instance holds enough units of it. Thread-safe.
	 */
	private static final class LeasedDecisions {

		private final StoreStage store;

		private final LeasedUnits units;

		LeasedDecisions(StoreStage store, LeasedUnits units) {
			this.store = store;
			this.units = units;
		}

		CompletableFuture<AcquireResult> decide(AcquireRequest request) {
			List<Charge> charges = request.charges();
			// A request that may have been charged already must not be charged here, so
			// the store decides.
			if (request.marker().isPresent()) {
				return this.store.acquire(request);
			}
			return (charges.size() == 1) ? one(request, charges.get(0)) : several(request);
		}

		@Nullable LocalCharge charge(BucketFamily family, String subject, long cost, ChargeTerms terms,
				ReservationTerms reservation) {
			Lease lease = (terms.consistency() != Consistency.STRICT) ? this.units.find(new Bucket(family, subject))
					: null;
			if (lease == null || lease.bucket().family() != family) {
				return null;
			}
			long nowNanos = this.units.nowNanos();
			LeaseTerms leaseTerms = lease.terms();
			long left = lease.take(leaseTerms, family, cost, nowNanos);
			if (left == Lease.MISS) {
				return null;
			}
			spent(cost);
			if (lease.runsLow(left)) {
				this.units.refill(terms.charge(lease.bucket(), cost), nowNanos);
			}
			return new LeasedLimitStore.LeasedCharge(reservation, lease.bucket(), cost, leaseTerms, left, nowNanos);
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
			LeaseTerms leaseTerms = lease.terms();
			long left = lease.take(leaseTerms, charge.bucket().family(), charge.cost(), nowNanos);
			if (left == Lease.MISS) {
				return several(request);
			}
			spent(charge.cost());
			if (lease.runsLow(left)) {
				this.units.refill(charge, nowNanos);
			}
			return CompletableFuture.completedFuture(AcquireResult.of(request, true, Source.LOCAL,
					leaseTerms.takenAtMillis(), List.of(leaseTerms.verdict(charge.cost(), left, nowNanos))));
		}

		private void spent(long cost) {
			LeaseStatus status = this.units.status();
			status.spent.add(cost);
			status.local.increment();
		}

		// This instance holds no units of the bucket. Unless the bucket is busy, the
		// decision is as cheap as a strict one.
		private CompletableFuture<AcquireResult> cold(AcquireRequest request, Charge charge, long nowNanos) {
			this.units.tidy(charge.bucket(), nowNanos);
			if (this.units.rejection(charge, request).isPresent()) {
				return several(request);
			}
			PlannedLease plan = this.units.plan(charge, nowNanos);
			if (!plan.none()) {
				return new LeasedDecision(this.units, request, nowNanos).start(plan);
			}
			return this.units.acquire(request).whenComplete((result, failure) -> {
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

}
