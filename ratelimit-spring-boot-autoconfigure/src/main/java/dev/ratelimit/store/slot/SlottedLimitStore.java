package dev.ratelimit.store.slot;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;

/**
 * Internal: stands before a store that answers requests on one slot, and answers those on
 * several: each slot's part is sent by itself, all at once, and all parts are taken or
 * none. Nothing blocks. Thread-safe.
 */
public final class SlottedLimitStore implements LimitStore {

	private final LimitStore perSlot;

	private final SlotSplitter splitter;

	private final LatelyDenied latelyDenied;

	/**
	 * A stage before a store.
	 * @param perSlot answers requests on one slot
	 * @param slots where buckets lie
	 * @param time the time
	 */
	public SlottedLimitStore(LimitStore perSlot, BucketSlots slots, Time time) {
		this.perSlot = perSlot;
		this.splitter = new SlotSplitter(slots);
		this.latelyDenied = new LatelyDenied(time);
	}

	@Override
	public String name() {
		return this.perSlot.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		if (request.charges().size() == 1 && request.marker().isEmpty()) {
			return this.perSlot.acquire(request);
		}
		List<SlotPart> parts = this.splitter.split(request);
		if (parts.size() == 1) {
			return this.perSlot.acquire(parts.get(0).request());
		}
		CompositeDecision decision = new CompositeDecision(request, parts, this.perSlot, this.latelyDenied);
		decision.start();
		return decision;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		// Also a stage before one slot combines results.
		if (!(result instanceof CombinedResult combined) || this.splitter.split(result.request()).size() == 1) {
			return this.perSlot.release(result);
		}
		return all(combined.parts().stream().map(AcquireResultPart::result).filter(AcquireResult::changed).toList(),
				this.perSlot::release);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return all(this.splitter.bySlot(settlements, Settlement::bucket), this.perSlot::settle);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.perSlot.returnLease(unspent);
	}

	@Override
	public CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
		CompletableFuture<Integer> lost = CompletableFuture.completedFuture(0);
		for (List<Bucket> part : this.splitter.bySlot(List.copyOf(held.keySet()), Function.identity())) {
			lost = this.perSlot.renew(part.stream().collect(Collectors.toMap(Function.identity(), held::get)))
				.thenCombine(lost, Integer::sum);
		}
		return lost;
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return all(this.splitter.bySlot(buckets, Function.identity()), this.perSlot::reset);
	}

	private static <T> CompletableFuture<Void> all(Collection<T> parts, Function<T, CompletableFuture<Void>> call) {
		return CompletableFuture.allOf(parts.stream().map(call).toArray(CompletableFuture<?>[]::new));
	}

}
