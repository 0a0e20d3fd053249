package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: stands before a store that is far away: units of busy buckets are leased in
 * advance, where their rules allow it, and spent without asking. All that is spent was
 * charged before by the store. Thread-safe.
 */
public final class LeasedLimitStore implements LocalLimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeasedLimitStore.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final long PATIENCE_MILLIS = 200;

	private static final int SWEEPS = 8;

	private final LimitStore store;

	private final LeasedUnits units;

	private final LeasedDecisions decisions;

	private final Optional<Upkeep.Task> sweeps;

	/**
	 * A stage that looks after its leases by itself.
	 * @param store the store, which leases
	 * @param settings how units are leased
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
		this.units = new LeasedUnits(store, settings, time);
		this.decisions = new LeasedDecisions(store, this.units);
		Duration between = settings.length().dividedBy(SWEEPS);
		this.sweeps = upkeep.map((shared) -> shared.start(between, between, "Lease maintenance failed", this::sweep));
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * What became of leased units.
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
	public CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
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
		this.sweeps.ifPresent(Upkeep.Task::close);
		try {
			this.units.closeAll().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The result of a lease is unknown; its units are discarded", ex);
		}
	}

}
