package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.Settlement;

/**
 * One call per slot, all at once. Nothing blocks.
 */
final class ClusterCalls implements RedisCalls {

	private final SlotCalls calls;

	private final SlotSplitter splitter;

	private final LatelyDenied latelyDenied = new LatelyDenied(Ticker.systemTicker());

	ClusterCalls(SlotCalls calls, SlotSplitter splitter) {
		this.calls = calls;
		this.splitter = splitter;
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		if (demand.charges().size() == 1 && demand.marker().isEmpty()) {
			return this.calls.acquire(demand);
		}
		List<SlotPart> parts = this.splitter.split(demand);
		if (parts.size() == 1) {
			return this.calls.acquire(parts.get(0).demand());
		}
		JointDecision decision = new JointDecision(demand, parts, this.calls, this.latelyDenied);
		decision.start();
		return decision;
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return all(this.splitter.bySlot(settlements, Settlement::bucket), this.calls::settle);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return all(this.splitter.bySlot(buckets, Function.identity()), this.calls::reset);
	}

	private static <T> CompletableFuture<Void> all(Collection<List<T>> slots,
			Function<List<T>, CompletableFuture<Void>> call) {
		return CompletableFuture.allOf(slots.stream().map(call).toArray(CompletableFuture<?>[]::new));
	}

}
