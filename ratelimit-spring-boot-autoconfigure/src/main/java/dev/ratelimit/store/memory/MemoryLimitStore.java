package dev.ratelimit.store.memory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;

/**
 * Counts in this process. A bucket is remembered until it is full again; beyond the bound
 * the least used are dropped, which a metric counts where they were not full.
 * Thread-safe; every answer is there at once.
 *
 * @since 0.1.0
 */
public final class MemoryLimitStore implements LimitStore {

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final LongSupplier clock;

	private final MemoryBuckets buckets;

	private final ReplayMarkers markers;

	/**
	 * Make a store.
	 * @param maxBuckets how many buckets, and how many replay markers, are remembered
	 * @param clock the time in milliseconds since
	 * {@link dev.ratelimit.algorithm.Arithmetic#EPOCH_SECONDS}
	 */
	public MemoryLimitStore(long maxBuckets, LongSupplier clock) {
		this.clock = clock;
		this.buckets = new MemoryBuckets(maxBuckets, clock);
		this.markers = new ReplayMarkers(maxBuckets, clock);
	}

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		return CompletableFuture.completedFuture(answer(demand, this.clock.getAsLong()));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.buckets::discard);
		return DONE;
	}

	/**
	 * How many buckets were dropped for want of room while they were not full: each may
	 * have admitted what it should not.
	 * @return the count since the start
	 */
	public long liveEvictions() {
		return this.buckets.liveEvictions();
	}

	/**
	 * How many buckets are remembered.
	 * @return the estimated count
	 */
	public long size() {
		return this.buckets.size();
	}

	private Answer answer(Demand demand, long nowMillis) {
		if (demand.marker().isPresent()) {
			ReplayMarker marker = demand.marker().get();
			return this.markers.deciding(marker, nowMillis, (replayed) -> decide(demand, replayed, nowMillis));
		}
		return decide(demand, false, nowMillis);
	}

	private Answer decide(Demand demand, boolean replayed, long nowMillis) {
		List<Charge> charges = demand.charges();
		return (charges.size() == 1) ? decideOne(demand, charges.get(0), replayed, nowMillis)
				: new JointCharge(demand, replayed, nowMillis).decide(this.buckets);
	}

	private Answer decideOne(Demand demand, Charge charge, boolean replayed, long nowMillis) {
		while (true) {
			MemoryBucket counter = this.buckets.find(charge, charge.takes(Arithmetic.EMPTY, replayed, nowMillis));
			long[] state = counter.settled();
			if (!MemoryBucket.isGone(state)) {
				boolean takes = charge.takes(state, replayed, nowMillis);
				if (!takes || take(charge, counter, state, nowMillis)) {
					boolean admitted = takes || !charge.refuses(state, replayed, nowMillis);
					return Answer.of(demand, new long[][] { state }, admitted, replayed, Source.LOCAL, nowMillis);
				}
			}
		}
	}

	private boolean take(Charge charge, MemoryBucket counter, long[] state, long nowMillis) {
		long[] after = charge.bucket().family().arithmetic().charge(state, charge.cost(), nowMillis);
		boolean taken = counter.replace(state, after);
		if (taken) {
			this.buckets.keep(charge, counter, after, nowMillis);
		}
		return taken;
	}

}
