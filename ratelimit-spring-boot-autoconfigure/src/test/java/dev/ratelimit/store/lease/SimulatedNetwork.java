package dev.ratelimit.store.lease;

import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;

/**
 * The network between all instances and one store, in virtual time. A call and its reply
 * each take half a round trip.
 */
final class SimulatedNetwork implements StoreStage {

	private static final long HALF_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final StoreStage store;

	private long nowNanos = TimeUnit.HOURS.toNanos(1);

	private long sequence;

	/** The number of script calls so far. */
	long calls;

	/** The units that the store charged directly for requests. */
	long charged;

	/** The leased units that have not arrived yet. */
	long underWay;

	SimulatedNetwork(StoreStage store) {
		this.store = store;
	}

	long nowNanos() {
		return this.nowNanos;
	}

	void at(long nanos, Runnable what) {
		this.events.add(new Event(Math.max(nanos, this.nowNanos), this.sequence++, what));
	}

	void in(long nanos, Runnable what) {
		at(this.nowNanos + nanos, what);
	}

	/** Advance the time and process the events until then. */
	void runUntil(long nanos) {
		while (!this.events.isEmpty() && this.events.peek().nanos() <= nanos) {
			Event next = this.events.remove();
			this.nowNanos = next.nanos();
			next.what().run();
		}
		this.nowNanos = nanos;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		CompletableFuture<AcquireResult> here = new CompletableFuture<>();
		in(HALF_NANOS, () -> {
			this.calls++;
			AcquireResult answer = this.store.acquire(demand).join();
			long leased = answer.charge(0).leased();
			this.charged += (answer.taken(0)) ? demand.charges().get(0).cost() : 0;
			this.underWay += leased;
			in(HALF_NANOS, () -> {
				this.underWay -= leased;
				here.complete(answer);
			});
		});
		return here;
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return later(() -> this.store.settle(settlements).join());
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return later(() -> this.store.returnLease(unspent).join());
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return later(() -> this.store.reset(buckets).join());
	}

	private <T> CompletableFuture<T> later(Supplier<T> call) {
		CompletableFuture<T> here = new CompletableFuture<>();
		in(HALF_NANOS, () -> {
			this.calls++;
			T result = call.get();
			in(HALF_NANOS, () -> here.complete(result));
		});
		return here;
	}

	private record Event(long nanos, long sequence, Runnable what) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int byTime = Long.compare(this.nanos, other.nanos);
			return (byTime != 0) ? byTime : Long.compare(this.sequence, other.sequence);
		}

	}

}
