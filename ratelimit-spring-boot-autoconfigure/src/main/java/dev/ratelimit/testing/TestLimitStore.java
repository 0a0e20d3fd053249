package dev.ratelimit.testing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.base.Resettable;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * In-memory store that uses a {@link ManualClock} and is reset before each test.
 * Thread-safe.
 */
final class TestLimitStore implements StoreStage, Resettable {

	private static final long MAX_BUCKETS = 100_000;

	private static final long EPOCH_MILLIS = TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS);

	private final ManualClock clock;

	private volatile MemoryLimitStore memory;

	/**
	 * Create a store.
	 * @param clock the clock to use
	 */
	TestLimitStore(ManualClock clock) {
		this.clock = clock;
		this.memory = fresh();
	}

	private MemoryLimitStore fresh() {
		return new MemoryLimitStore(MAX_BUCKETS, () -> this.clock.instant().toEpochMilli() - EPOCH_MILLIS);
	}

	@Override
	public void reset() {
		this.memory = fresh();
	}

	@Override
	public String name() {
		return this.memory.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.memory.acquire(request);
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return this.memory.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.memory.settle(settlements);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.memory.returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.memory.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.memory.reset(buckets);
	}

}
