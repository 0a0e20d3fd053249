package dev.ratelimit.store.slot;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;

/**
 * Internal: stands before a store that answers demands on one slot, and answers those on
 * several: each slot's part is asked by itself, all at once, and all parts are taken or
 * none. Nothing blocks. Thread-safe.
 */
public final class SlottedLimitStore implements LimitStore {

	private final LimitStore perSlot;

	private final SlotSplitter splitter;

	private final Time time;

	private final LatelyDenied latelyDenied;

	/**
	 * A stage before a store.
	 * @param perSlot answers demands on one slot
	 * @param slots where buckets lie
	 * @param time the time
	 */
	public SlottedLimitStore(LimitStore perSlot, BucketSlots slots, Time time) {
		this.perSlot = perSlot;
		this.splitter = new SlotSplitter(slots);
		this.time = time;
		this.latelyDenied = new LatelyDenied(time);
	}

	@Override
	public String name() {
		return this.perSlot.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		if (demand.charges().size() == 1 && demand.marker().isEmpty()) {
			return this.perSlot.acquire(demand);
		}
		List<SlotPart> parts = this.splitter.split(demand);
		if (parts.size() == 1) {
			return this.perSlot.acquire(parts.get(0).demand());
		}
		CompositeDecision decision = new CompositeDecision(demand, parts, this.perSlot, this.latelyDenied, this.time);
		decision.start();
		return decision;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult answer) {
		// Also a stage before one slot puts answers together.
		if (answer.parts().isEmpty() || this.splitter.split(answer.demand()).size() == 1) {
			return this.perSlot.release(answer);
		}
		return all(answer.parts().stream().map(AcquireResultPart::answer).filter(AcquireResult::changed).toList(),
				this.perSlot::release);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return all(this.splitter.bySlot(settlements, Settlement::bucket), this.perSlot::settle);
	}

	@Override
	public CompletableFuture<Long> giveBack(LeaseReturn loan) {
		return this.perSlot.giveBack(loan);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return all(this.splitter.bySlot(buckets, Function.identity()), this.perSlot::reset);
	}

	private static <T> CompletableFuture<Void> all(Collection<T> parts, Function<T, CompletableFuture<Void>> call) {
		return CompletableFuture.allOf(parts.stream().map(call).toArray(CompletableFuture<?>[]::new));
	}

}
