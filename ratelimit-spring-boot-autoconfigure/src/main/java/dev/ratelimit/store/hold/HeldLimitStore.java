package dev.ratelimit.store.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
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
 * Internal: keeps and renews the slots that concurrent requests of this instance hold,
 * including requests that were allowed while the store was unavailable. Because of the
 * renewals, a request may take longer than the lease. The slots of an instance that
 * crashes are freed after the lease. Each renewal sets the number of held slots, which
 * corrects lost charges and releases. A slot is released once, at the latest after the
 * maximum time of its rule. Thread-safe.
 */
public final class HeldLimitStore implements LocalLimitStore, AutoCloseable {

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(1);

	/** A deadline far in the past, so that no stage calls the store. */
	private static final long LONG_AGO_NANOS = TimeUnit.DAYS.toNanos(1);

	private final StoreStage store;

	private final Time time;

	private final Holdings holdings;

	private final Renewals renewals;

	private final Upkeep.Task rounds;

	/**
	 * Create a stage that renews the slots that it holds.
	 * @param store the store
	 * @param maxHoldMillis the maximum time for which a slot is held, by the id of the
	 * rule
	 * @param time the time
	 * @param upkeep runs the periodic renewals
	 */
	public HeldLimitStore(StoreStage store, ToLongFunction<String> maxHoldMillis, Time time, Upkeep upkeep) {
		this.store = store;
		this.time = time;
		this.holdings = new Holdings(maxHoldMillis, time);
		this.renewals = new Renewals(store, this.holdings);
		this.rounds = upkeep.start(RENEWAL_INTERVAL, RENEWAL_INTERVAL, "Failed to renew slots", this.renewals::run);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * Return the slots that this instance holds, with the counts of their renewals.
	 * @return the status
	 */
	public HoldingStatus status() {
		return this.holdings.status();
	}

	void renew() {
		this.renewals.run();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		if (!Holdings.concern(request)) {
			return this.store.acquire(request);
		}
		// Too many slots are held to list another one, so the rules apply their failure
		// policies.
		if (this.holdings.isFull()) {
			return this.store.acquire(request.until(this.time.nanos() - LONG_AGO_NANOS))
				.whenComplete((acquired, failure) -> this.holdings.tookUnlisted(request, acquired));
		}
		CompletableFuture<AcquireResult> result = this.renewals.inOrder(() -> send(request));
		if (!result.isDone()) {
			return result.whenComplete((acquired, failure) -> this.holdings.responded(request, acquired));
		}
		this.holdings.responded(request, (result.isCompletedExceptionally()) ? null : result.join());
		return result;
	}

	private CompletableFuture<AcquireResult> send(AcquireRequest request) {
		this.holdings.called(request);
		try {
			return this.store.acquire(request);
		}
		catch (RuntimeException | Error ex) {
			this.holdings.responded(request, null);
			throw ex;
		}
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		return (this.store instanceof LocalLimitStore local)
				? local.chargeLocally(family, subject, cost, terms, reservation) : null;
	}

	// If a slot was freed already, the number in the store is too low until the next
	// renewal.
	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		List<Settlement> refunds = result.refunds();
		if (refunds.stream().noneMatch((one) -> Holdings.concern(one.bucket()))) {
			return this.store.release(result);
		}
		return this.renewals.inOrder(() -> {
			refunds.forEach(this.holdings::release);
			return watched(refunds, this.store.release(result));
		});
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		if (settlements.stream().noneMatch((one) -> Holdings.concern(one.bucket()))) {
			return this.store.settle(settlements);
		}
		return this.renewals.inOrder(() -> {
			List<Settlement> passed = new ArrayList<>(settlements);
			passed.removeIf((one) -> !this.holdings.release(one));
			return (passed.isEmpty()) ? DONE : watched(passed, this.store.settle(passed));
		});
	}

	// A renewal corrects a lost release.
	private CompletableFuture<Void> watched(List<Settlement> settlements, CompletableFuture<Void> sent) {
		return sent.whenComplete((done, failure) -> {
			if (failure != null) {
				settlements.forEach((one) -> this.holdings.doubt(one.bucket()));
			}
		});
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.store.returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.store.renew(held);
	}

	// The next renewal counts slots in use again.
	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.store.reset(buckets);
	}

	@Override
	public void close() {
		this.rounds.close();
		this.renewals.giveUpAll();
	}

	/**
	 * Renews slots in batches. A renewal contains the number of slots at the moment at
	 * which it is sent: no charge and no release is sent between the count and the
	 * renewal. Thread-safe.
	 */
	private static final class Renewals {

		private static final Log logger = LogFactory.getLog(Renewals.class);

		private static final int BATCH = 1000;

		private final StoreStage store;

		private final Holdings holdings;

		/**
		 * Charges and releases share the lock, a renewal holds it exclusively. No thread
		 * waits while it holds the lock.
		 */
		private final ReadWriteLock order = new ReentrantReadWriteLock();

		Renewals(StoreStage store, Holdings holdings) {
			this.store = store;
			this.holdings = holdings;
		}

		/**
		 * Send a call that changes the number of slots.
		 * @param <T> the type of the reply
		 * @param sending counts the slots and sends the call; does not block
		 * @return the reply
		 */
		<T> CompletableFuture<T> inOrder(Supplier<CompletableFuture<T>> sending) {
			this.order.readLock().lock();
			try {
				return sending.get();
			}
			finally {
				this.order.readLock().unlock();
			}
		}

		void run() {
			batches(this.holdings.due(), this.holdings::count);
		}

		/** Free all slots, because the requests have ended. */
		void giveUpAll() {
			batches(this.holdings.all(), (bucket) -> 0);
		}

		private void batches(List<Bucket> buckets, ToLongFunction<Bucket> count) {
			for (int from = 0; from < buckets.size(); from += BATCH) {
				List<Bucket> batch = buckets.subList(from, Math.min(from + BATCH, buckets.size()));
				send(batch, count).whenComplete((renewed, failure) -> completed(batch, renewed, failure));
			}
		}

		private CompletableFuture<SlotRenewal> send(List<Bucket> batch, ToLongFunction<Bucket> count) {
			Map<Bucket, Long> held = new LinkedHashMap<>(2 * batch.size());
			this.order.writeLock().lock();
			try {
				batch.forEach((bucket) -> held.put(bucket, count.applyAsLong(bucket)));
				return this.store.renew(held);
			}
			catch (RuntimeException | Error ex) {
				return CompletableFuture.failedFuture(ex);
			}
			finally {
				this.order.writeLock().unlock();
			}
		}

		private void completed(List<Bucket> batch, @Nullable SlotRenewal renewed, @Nullable Throwable failure) {
			if (failure != null) {
				logger.debug("Failed to renew slots", failure);
			}
			SlotRenewal result = (renewed != null) ? renewed : SlotRenewal.failed(batch);
			int failed = result.failed().size();
			this.holdings.status().failed(failed);
			this.holdings.status().renewed(batch.size() - failed, result.lost());
			batch.forEach((bucket) -> this.holdings.renewed(bucket, !result.failed().contains(bucket)));
		}

	}

}
