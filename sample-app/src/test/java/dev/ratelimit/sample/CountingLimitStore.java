package dev.ratelimit.sample;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;

/**
 * A store that an application could implement: it delegates to another store, and counts
 * rejections.
 */
final class CountingLimitStore implements LimitStore {

	private final LimitStore store;

	private final LongAdder refusals = new LongAdder();

	CountingLimitStore(LimitStore store) {
		this.store = store;
	}

	long refusals() {
		return this.refusals.sum();
	}

	@Override
	public String name() {
		return "counting";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		return this.store.acquire(demand).whenComplete((answer, failure) -> {
			if (answer != null && !answer.allowed()) {
				this.refusals.increment();
			}
		});
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
