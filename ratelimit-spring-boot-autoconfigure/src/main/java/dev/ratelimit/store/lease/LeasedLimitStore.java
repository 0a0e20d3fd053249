package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.Corrections;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: stands before a store that is far away: units of busy buckets are borrowed in
 * advance, where their rules allow it, and spent without asking. All that is spent was
 * charged before by the store. Thread-safe.
 */
public final class LeasedLimitStore implements LocalLimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeasedLimitStore.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final long PATIENCE_MILLIS = 200;

	private static final int SWEEPS = 8;

	private final LimitStore store;

	private final Time time;

	private final Leases leases;

	private final ExhaustionTracker scarcity;

	private final Borrower borrower;

	private final Optional<Upkeep.Task> sweeps;

	/**
	 * A stage that looks after its leases by itself.
	 * @param store the store, which lends
	 * @param settings how units are borrowed
	 * @param time the time
	 * @param upkeep looks after the leases
	 */
	public LeasedLimitStore(LimitStore store, LeaseSettings settings, Time time, Upkeep upkeep) {
		this(store, settings, time, Optional.of(upkeep));
	}

	LeasedLimitStore(LimitStore store, LeaseSettings settings, Time time) {
		this(store, settings, time, Optional.empty());
	}

	private LeasedLimitStore(LimitStore store, LeaseSettings settings, Time time, Optional<Upkeep> upkeep) {
		this.store = store;
		this.time = time;
		this.leases = new Leases(store, settings);
		this.scarcity = new ExhaustionTracker(time);
		this.borrower = new Borrower(store, settings, time, this.leases, this.scarcity);
		Duration between = settings.length().dividedBy(SWEEPS);
		this.sweeps = upkeep.map((shared) -> shared.start(between, between, "Lease maintenance failed", this::sweep));
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * What became of borrowed units.
	 * @return the status
	 */
	public LeaseStatus status() {
		return this.leases.status();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		List<Charge> charges = demand.charges();
		// Who may have paid already must not pay here, so the store says what is to pay.
		if (demand.marker().isPresent()) {
			return this.store.acquire(demand);
		}
		return (charges.size() == 1) ? one(demand, charges.get(0)) : several(demand);
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			Corrections corrections) {
		Lease lease = (terms.consistency() != Consistency.STRICT) ? this.leases.find(new Bucket(family, subject))
				: null;
		if (lease == null || lease.bucket().family() != family) {
			return null;
		}
		long nowNanos = this.time.nanos();
		LeaseTerms known = lease.terms();
		long left = (known.family() == family) ? lease.take(known, cost, nowNanos) : Lease.MISS;
		if (left == Lease.MISS) {
			return null;
		}
		this.leases.status().spent.add(cost);
		this.leases.status().local.increment();
		if (lease.runsLow(left)) {
			this.borrower.refill(terms.charge(lease.bucket(), cost), nowNanos);
		}
		return new LocalCharge(corrections, lease.bucket(), known.takenAtMillis(), known.verdict(cost, left, nowNanos));
	}

	private CompletableFuture<AcquireResult> one(AcquireRequest demand, Charge charge) {
		if (!leased(charge)) {
			return this.store.acquire(demand);
		}
		long nowNanos = this.time.nanos();
		Lease lease = this.leases.find(charge.bucket());
		if (lease == null) {
			return cold(demand, charge, nowNanos);
		}
		LeaseTerms terms = lease.terms();
		long left = (terms.family() == charge.bucket().family()) ? lease.take(terms, charge.cost(), nowNanos)
				: Lease.MISS;
		if (left == Lease.MISS) {
			return several(demand);
		}
		this.leases.status().spent.add(charge.cost());
		this.leases.status().local.increment();
		Verdict verdict = terms.verdict(charge.cost(), left, nowNanos);
		if (lease.runsLow(left)) {
			this.borrower.refill(charge, nowNanos);
		}
		return CompletableFuture
			.completedFuture(AcquireResult.of(demand, true, Source.LOCAL, terms.takenAtMillis(), List.of(verdict)));
	}

	// Nothing is held of the bucket. Unless it is busy, it costs what a strict one costs.
	private CompletableFuture<AcquireResult> cold(AcquireRequest demand, Charge charge, long nowNanos) {
		this.leases.tidy(charge.bucket(), nowNanos);
		if (this.scarcity.verdict(charge).isPresent()) {
			return several(demand);
		}
		Borrowing borrowing = this.borrower.borrowing(charge, charge.cost(), nowNanos);
		if (!borrowing.none()) {
			return new LeasedDecision(this, demand, nowNanos).start(borrowing);
		}
		this.leases.status().remote.increment();
		return this.store.acquire(demand).whenComplete(this::learn);
	}

	private void learn(@Nullable AcquireResult answer, @Nullable Throwable failure) {
		if (answer != null && answer.source() == Source.REMOTE) {
			this.scarcity.learn(answer);
		}
	}

	private CompletableFuture<AcquireResult> several(AcquireRequest demand) {
		for (Charge charge : demand.charges()) {
			if (leased(charge)) {
				return new LeasedDecision(this, demand, this.time.nanos()).start();
			}
		}
		return this.store.acquire(demand);
	}

	static boolean leased(Charge charge) {
		return charge.consistency() != Consistency.STRICT && charge.cost() > 0 && !charge.shadow()
				&& charge.bucket().family().arithmetic().supportsLeasing();
	}

	LimitStore store() {
		return this.store;
	}

	Leases leases() {
		return this.leases;
	}

	ExhaustionTracker scarcity() {
		return this.scarcity;
	}

	Borrower borrower() {
		return this.borrower;
	}

	long nowNanos() {
		return this.time.nanos();
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult answer) {
		if (answer.demand().marker().isPresent()) {
			return this.store.release(answer);
		}
		List<Settlement> refunds = answer.refunds();
		return (refunds.isEmpty()) ? DONE : settle(refunds);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		List<Settlement> rest = new ArrayList<>(settlements);
		rest.removeIf(this::settled);
		return (rest.isEmpty()) ? DONE : this.store.settle(rest);
	}

	private boolean settled(Settlement settlement) {
		if (settlement.units() >= 0) {
			return false;
		}
		this.scarcity.forget(settlement.bucket());
		Lease lease = this.leases.find(settlement.bucket());
		boolean here = lease != null && lease.terms().family() == settlement.bucket().family()
				&& lease.refund(-settlement.units(), settlement.takenAtMillis(), this.time.nanos());
		if (here) {
			this.leases.status().refunded.add(-settlement.units());
		}
		return here;
	}

	@Override
	public CompletableFuture<Long> giveBack(LeaseReturn loan) {
		return this.store.giveBack(loan);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.leases::drop);
		buckets.forEach(this.scarcity::forget);
		return this.store.reset(buckets);
	}

	void sweep() {
		this.leases.sweep(this.time.nanos());
	}

	@Override
	public void close() {
		this.sweeps.ifPresent(Upkeep.Task::close);
		try {
			this.leases.closeAll().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The result of a lease is unknown; its units are discarded", ex);
		}
	}

}
