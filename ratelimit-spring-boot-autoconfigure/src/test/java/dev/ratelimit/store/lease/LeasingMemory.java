package dev.ratelimit.store.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * A store that leases half of the remaining units, and may respond late or not at all.
 */
final class LeasingMemory implements StoreStage {

	final AtomicInteger calls = new AtomicInteger();

	final List<AcquireRequest> demands = new CopyOnWriteArrayList<>();

	final List<LeaseReturn> leases = new CopyOnWriteArrayList<>();

	final List<Settlement> settled = new CopyOnWriteArrayList<>();

	private final MemoryLimitStore memory;

	private volatile Function<AcquireResult, CompletableFuture<AcquireResult>> way = CompletableFuture::completedFuture;

	LeasingMemory(LongSupplier millis) {
		this.memory = new MemoryLimitStore(100_000, millis);
	}

	/**
	 * Set the delivery of results.
	 */
	void way(Function<AcquireResult, CompletableFuture<AcquireResult>> other) {
		this.way = other;
	}

	@Override
	public String name() {
		return "leasing";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		this.calls.incrementAndGet();
		this.demands.add(demand);
		return this.way.apply(decide(demand));
	}

	private synchronized AcquireResult decide(AcquireRequest demand) {
		AcquireResult answer = this.memory.acquire(demand).join().from(Source.REMOTE);
		if (!demand.leases() || !answer.allowed()) {
			return answer;
		}
		long[] leased = new long[demand.charges().size()];
		for (int i = 0; i < leased.length; i++) {
			leased[i] = grant(demand, demand.charges().get(i));
		}
		return answer.leasing(leased);
	}

	private long grant(AcquireRequest demand, Charge charge) {
		Charge peek = charge.leasing(0, LeaseRequest.NONE);
		long left = this.memory.acquire(demand.with(List.of(peek))).join().verdicts().get(0).remaining();
		long units = Math.min(charge.lease().units(), left / 2);
		if (units > 0) {
			this.memory.acquire(demand.with(List.of(charge.leasing(units, LeaseRequest.NONE)))).join();
		}
		return units;
	}

	long remaining(Charge charge) {
		AcquireRequest peek = new AcquireRequest(List.of(charge.leasing(0, LeaseRequest.NONE)), Optional.empty(),
				Long.MAX_VALUE);
		return this.memory.acquire(peek).join().verdicts().get(0).remaining();
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		this.settled.addAll(settlements);
		return this.memory.settle(settlements);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		this.leases.add(unspent);
		return this.memory
			.settle(new ArrayList<>(
					List.of(new Settlement(unspent.bucket(), unspent.takenAtMillis(), -unspent.units()))))
			.thenApply((done) -> unspent.units());
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.memory.reset(buckets);
	}

}
