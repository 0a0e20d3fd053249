package dev.ratelimit.store.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreStage;

/**
 * Internal: the stage before a store for background requests. A background request is
 * only sent if few others are pending and the circuit of its node is closed. Its result
 * does not affect the circuit breaker of the node. Thread-safe.
 */
public final class SpareLimitStore implements StoreStage {

	private final StoreStage store;

	private final GuardedLimitStore guard;

	private final int maxInFlight;

	private final AtomicInteger inFlight = new AtomicInteger();

	/**
	 * Create a stage before a store.
	 * @param store the store
	 * @param guard the stage before the same store for all other requests
	 * @param maxInFlight the maximum number of concurrent requests; further requests fail
	 */
	public SpareLimitStore(StoreStage store, GuardedLimitStore guard, int maxInFlight) {
		this.store = store;
		this.guard = guard;
		this.maxInFlight = maxInFlight;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		if (!this.guard.responds(request)) {
			return leftOut("the circuit is not closed");
		}
		if (this.inFlight.incrementAndGet() > this.maxInFlight) {
			this.inFlight.decrementAndGet();
			return leftOut("too many requests at a time");
		}
		try {
			return this.store.acquire(request).whenComplete((result, failure) -> this.inFlight.decrementAndGet());
		}
		catch (RuntimeException | Error ex) {
			this.inFlight.decrementAndGet();
			throw ex;
		}
	}

	private static CompletableFuture<AcquireResult> leftOut(String reason) {
		return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OVERLOAD, reason, null));
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return this.store.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.store.settle(settlements);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.store.reset(buckets);
	}

}
