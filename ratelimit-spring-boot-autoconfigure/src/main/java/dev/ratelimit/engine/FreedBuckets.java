package dev.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;

/**
 * The store, as charges are corrected: tells which buckets have got units back that
 * requests wait for. Thread-safe.
 */
final class FreedBuckets implements LimitStore {

	private final LimitStore store;

	private volatile Predicate<Bucket> awaited = (bucket) -> false;

	private volatile Consumer<Bucket> freed = (bucket) -> {
	};

	FreedBuckets(LimitStore store) {
		this.store = store;
	}

	void tell(Predicate<Bucket> which, Consumer<Bucket> listener) {
		this.freed = listener;
		this.awaited = which;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.store.acquire(request);
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return told(result.refunds(), this.store.release(result));
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return told(settlements, this.store.settle(settlements));
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.store.returnLease(unspent);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.store.reset(buckets);
	}

	// Mostly nobody waits, and then nothing is made here.
	private CompletableFuture<Void> told(List<Settlement> settlements, CompletableFuture<Void> done) {
		CompletableFuture<Void> told = done;
		for (int i = 0; i < settlements.size(); i++) {
			Settlement settlement = settlements.get(i);
			if (settlement.units() < 0 && this.awaited.test(settlement.bucket())) {
				told = told.whenComplete((nothing, failure) -> this.freed.accept(settlement.bucket()));
			}
		}
		return told;
	}

}
