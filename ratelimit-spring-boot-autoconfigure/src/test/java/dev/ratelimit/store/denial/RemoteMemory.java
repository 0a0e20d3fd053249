package dev.ratelimit.store.denial;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * A store that counts in memory, behaves like a remote one, and can delay its results.
 */
final class RemoteMemory implements StoreStage {

	private final MemoryLimitStore memory;

	private final List<Runnable> heldBack = new ArrayList<>();

	int calls;

	boolean holdsBack;

	Source source = Source.REMOTE;

	boolean fails;

	RemoteMemory(LongSupplier clock) {
		this.memory = new MemoryLimitStore(1000, clock);
	}

	@Override
	public String name() {
		return "remote";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		this.calls++;
		if (this.fails) {
			return CompletableFuture.failedFuture(new StoreException(Kind.CONNECTION, "as told", null));
		}
		AcquireResult answer = this.memory.acquire(demand).join().from(this.source);
		CompletableFuture<AcquireResult> future = new CompletableFuture<>();
		if (this.holdsBack) {
			this.heldBack.add(() -> future.complete(answer));
		}
		else {
			future.complete(answer);
		}
		return future;
	}

	void answer() {
		this.holdsBack = false;
		List.copyOf(this.heldBack).forEach(Runnable::run);
		this.heldBack.clear();
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.memory.settle(settlements);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.memory.reset(buckets);
	}

}
