package dev.ratelimit.store.lease;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this instance, at most one for each bucket. The number of leases is
 * bounded. Thread-safe.
 */
final class Leases {

	private static final Log logger = LogFactory.getLog(Leases.class);

	private static final int NAME_LENGTH = 8;

	private final StoreStage store;

	private final LeaseSettings settings;

	private final Map<Bucket, Lease> leases = new ConcurrentHashMap<>();

	private final String instance = UUID.randomUUID().toString().substring(0, NAME_LENGTH);

	private final AtomicLong count = new AtomicLong();

	private final LeaseStatus status = new LeaseStatus(this::held, this::held);

	Leases(StoreStage store, LeaseSettings settings) {
		this.store = store;
		this.settings = settings;
	}

	LeaseStatus status() {
		return this.status;
	}

	@Nullable Lease find(Bucket bucket) {
		return this.leases.get(bucket);
	}

	/**
	 * Return the lease of a bucket, or open one under the active limit.
	 * @param bucket the bucket
	 * @param nowNanos the time
	 * @return the lease; null if there is none and the maximum number of leases is
	 * reached
	 */
	@Nullable Lease open(Bucket bucket, long nowNanos) {
		Lease existing = this.leases.get(bucket);
		if (existing != null || this.leases.size() >= this.settings.maxLeases()) {
			return existing;
		}
		return this.leases.computeIfAbsent(bucket,
				(key) -> new Lease(key, this.instance + "-" + Long.toString(this.count.incrementAndGet(), 36),
						LeaseTerms.none(key.family(), nowNanos, this.settings.length().toNanos())));
	}

	/**
	 * Close leases of a bucket that must not be spent: those under a limit that has
	 * changed, and those that have ended.
	 * @param bucket the requested bucket
	 * @param nowNanos the time
	 */
	void tidy(Bucket bucket, long nowNanos) {
		BucketFamily family = bucket.family();
		Lease lease = this.leases.get(bucket);
		if (lease != null
				&& (lease.terms().family() != family || (lease.terms().ended(nowNanos) && !lease.isLeasing()))) {
			close(lease);
		}
		for (FormerLimit former : family.formers()) {
			if (former.matters(nowNanos)) {
				closeFormer(new Bucket(former.family(), bucket.subject()), family);
			}
		}
	}

	private void closeFormer(Bucket bucket, BucketFamily family) {
		Lease before = this.leases.get(bucket);
		if (before != null && before.terms().family() != family) {
			close(before);
		}
	}

	/**
	 * Close leases that have ended or are idle. Called by one thread only.
	 * @param nowNanos the time
	 */
	void sweep(long nowNanos) {
		long idleNanos = this.settings.length().toNanos() / 4;
		for (Lease lease : this.leases.values()) {
			boolean over = lease.idle(nowNanos, idleNanos) || lease.terms().ended(nowNanos);
			// If the lease were closed, a thread that leases now would have to return its
			// units.
			if (over && !lease.isLeasing()) {
				close(lease);
			}
		}
	}

	CompletableFuture<?> closeAll() {
		return CompletableFuture
			.allOf(this.leases.values().stream().map(this::close).toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Close a lease and return its remaining units.
	 * @param lease the lease
	 * @return the number of returned units, which completes when the return is done or
	 * has failed
	 */
	CompletableFuture<Long> close(Lease lease) {
		this.leases.remove(lease.bucket(), lease);
		long left = lease.close();
		return (left > 0) ? returnLease(lease, lease.terms().takenAtMillis(), left)
				: CompletableFuture.completedFuture(0L);
	}

	/**
	 * Close a lease without returning its units, because its bucket is reset.
	 * @param bucket the bucket
	 */
	void drop(Bucket bucket) {
		Lease lease = this.leases.remove(bucket);
		if (lease != null) {
			this.status.expired.add(lease.close());
		}
	}

	CompletableFuture<Long> returnLease(Lease lease, long takenAtMillis, long units) {
		this.status.returning.add(units);
		LeaseReturn unspent = new LeaseReturn(lease.bucket(), lease.holder(), takenAtMillis, units,
				this.settings.leaseMillis());
		CompletableFuture<Long> done = this.store.returnLease(unspent);
		return done.handle((taken, failure) -> {
			if (failure != null) {
				logger.debug("Failed to return leased units", failure);
			}
			long returned = (taken != null) ? taken : 0;
			this.status.returned.add(returned);
			this.status.expired.add(units - returned);
			this.status.returning.add(-units);
			return returned;
		});
	}

	/**
	 * Refund units to the store that cannot be put back into their lease.
	 * @param bucket the bucket
	 * @param takenAtMillis the store's time of the lease
	 * @param units the number of units
	 */
	void refund(Bucket bucket, long takenAtMillis, long units) {
		this.status.returning.add(units);
		this.store.settle(List.of(new Settlement(bucket, takenAtMillis, -units))).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Failed to refund leased units", failure);
			}
			((failure != null) ? this.status.expired : this.status.returned).add(units);
			this.status.returning.add(-units);
		});
	}

	private long held() {
		return this.leases.values().stream().mapToLong(Lease::unspent).sum();
	}

	private long held(Bucket bucket) {
		Lease lease = this.leases.get(bucket);
		return (lease != null) ? lease.unspent() : 0;
	}

}
