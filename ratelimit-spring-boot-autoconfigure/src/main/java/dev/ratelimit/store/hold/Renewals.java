package dev.ratelimit.store.hold;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renews slots in batches. A renewal says how many there are at the moment that it is
 * sent: no charge and no release is sent between the count and the renewal. Thread-safe.
 */
final class Renewals {

	private static final Log logger = LogFactory.getLog(Renewals.class);

	private static final int BATCH = 1000;

	private final LimitStore store;

	private final Holdings holdings;

	/** Charges and releases share it, a renewal has it alone; never while waiting. */
	private final ReadWriteLock order = new ReentrantReadWriteLock();

	Renewals(LimitStore store, Holdings holdings) {
		this.store = store;
		this.holdings = holdings;
	}

	/**
	 * Send what changes the number of slots.
	 * @param <T> the reply
	 * @param sending counts and sends it; does not block
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

	/** The requests have ended, and what they hold with them. */
	void giveUpAll() {
		batches(this.holdings.all(), (bucket) -> 0);
	}

	private void batches(List<Bucket> buckets, ToLongFunction<Bucket> count) {
		for (int from = 0; from < buckets.size(); from += BATCH) {
			List<Bucket> batch = buckets.subList(from, Math.min(from + BATCH, buckets.size()));
			send(batch, count).whenComplete((lost, failure) -> completed(batch, lost, failure));
		}
	}

	private CompletableFuture<Integer> send(List<Bucket> batch, ToLongFunction<Bucket> count) {
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

	private void completed(List<Bucket> batch, @Nullable Integer lost, @Nullable Throwable failure) {
		if (lost == null) {
			logger.debug("Failed to renew slots", failure);
			this.holdings.status().failed(batch.size());
		}
		else {
			this.holdings.status().renewed(batch.size(), lost);
		}
		batch.forEach((bucket) -> this.holdings.renewed(bucket, failure == null));
	}

}
