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
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: stands before a store that is far away: units of busy buckets are borrowed in
 * advance, where their rules allow it, and spent without asking. All that is spent was
 * charged before by the store. Thread-safe.
 */
public final class LeasedLimitStore implements LimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeasedLimitStore.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final long PATIENCE_MILLIS = 200;

	private static final int SWEEPS = 8;

	private final LimitStore store;

	private final LeaseSettings settings;

	private final Time time;

	private final Leases leases;

	private final DemandRates rates = new DemandRates();

	private final ExhaustionTracker scarcity;

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
		this.settings = settings;
		this.time = time;
		this.leases = new Leases(store, settings);
		this.scarcity = new ExhaustionTracker(time);
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

	private CompletableFuture<AcquireResult> one(AcquireRequest demand, Charge charge) {
		if (!leased(charge)) {
			return this.store.acquire(demand);
		}
		long nowNanos = this.time.nanos();
		Lease lease = this.leases.find(charge.bucket());
		if (lease != null) {
			LeaseTerms terms = lease.terms();
			long left = (terms.family() == charge.bucket().family()) ? lease.take(terms, charge.cost(), nowNanos)
					: Lease.MISS;
			if (left != Lease.MISS) {
				this.leases.status().spent.add(charge.cost());
				this.leases.status().local.increment();
				Verdict verdict = terms.verdict(charge.cost(), left, nowNanos);
				if (lease.runsLow(left)) {
					refill(charge, nowNanos);
				}
				return CompletableFuture.completedFuture(
						AcquireResult.of(demand, true, Source.LOCAL, terms.takenAtMillis(), List.of(verdict)));
			}
		}
		return several(demand);
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

	// Keep what was lent.
	void borrowed(Borrowing borrowing, AcquireResult answer, int index) {
		long nowNanos = this.time.nanos();
		borrowing.answered(answer, index, nowNanos);
		if (answer.source() == Source.REMOTE && borrowing.scarce(answer, index)) {
			this.scarcity.nothingLent(borrowing.charge(), answer.verdicts().get(index));
		}
	}

	long nowNanos() {
		return this.time.nanos();
	}

	Borrowing borrowing(Charge charge, long cost, long nowNanos) {
		return Borrowing.of(this.leases, this.settings, this.rates, charge, cost, nowNanos);
	}

	// Borrow ahead of need. Nobody waits for it.
	void refill(Charge charge, long nowNanos) {
		Borrowing borrowing = borrowing(charge, 0, nowNanos);
		if (borrowing.none()) {
			return;
		}
		this.leases.status().refills.increment();
		AcquireRequest demand = new AcquireRequest(List.of(borrowing.charge(0)), Optional.empty(),
				this.time.nanos() + this.settings.patience().toNanos());
		try {
			this.store.acquire(demand).whenComplete((answer, failure) -> {
				if (answer != null) {
					borrowed(borrowing, answer, 0);
				}
				else {
					borrowing.failed();
				}
			});
		}
		catch (RuntimeException ex) {
			logger.debug("Failed to lease units", ex);
			borrowing.failed();
		}
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
