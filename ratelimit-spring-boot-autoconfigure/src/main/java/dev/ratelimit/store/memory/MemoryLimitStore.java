package dev.ratelimit.store.memory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;
import org.jspecify.annotations.Nullable;

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

	private final Cache<Bucket, MemoryBucket> buckets;

	private final ReplayMarkers markers;

	private final LongAdder liveEvictions = new LongAdder();

	/**
	 * Make a store.
	 * @param maxBuckets how many buckets, and how many replay markers, are remembered
	 * @param clock the time in milliseconds since
	 * {@link dev.ratelimit.algorithm.Arithmetic#EPOCH_SECONDS}
	 */
	public MemoryLimitStore(long maxBuckets, LongSupplier clock) {
		this.clock = clock;
		this.buckets = Caffeine.newBuilder()
			.maximumSize(maxBuckets)
			.ticker(() -> clock.getAsLong() * UntilFull.NANOS_PER_MILLI)
			.expireAfter(new UntilFull())
			.evictionListener(
					(@Nullable Bucket key, @Nullable MemoryBucket bucket, RemovalCause cause) -> dropped(bucket))
			.executor(Runnable::run)
			.build();
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
		for (Bucket bucket : buckets) {
			this.buckets.asMap().computeIfPresent(bucket, (key, counter) -> {
				counter.discard(this.clock.getAsLong());
				return null;
			});
		}
		return DONE;
	}

	/**
	 * How many buckets were dropped for want of room while they were not full: each may
	 * have admitted what it should not.
	 * @return the count since the start
	 */
	public long liveEvictions() {
		return this.liveEvictions.sum();
	}

	/**
	 * How many buckets are remembered.
	 * @return the estimated count
	 */
	public long size() {
		return this.buckets.estimatedSize();
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
				: new JointCharge(demand, replayed, nowMillis).decide(this::bucketFor);
	}

	private Answer decideOne(Demand demand, Charge charge, boolean replayed, long nowMillis) {
		while (true) {
			MemoryBucket counter = bucketFor(charge, charge.takes(Arithmetic.EMPTY, replayed, nowMillis));
			long[] state = counter.settled();
			boolean takes = charge.takes(state, replayed, nowMillis);
			boolean done = !MemoryBucket.isGone(state) && (!takes || counter.replace(state,
					charge.bucket().family().arithmetic().charge(state, charge.cost(), nowMillis)));
			if (done) {
				boolean admitted = takes || !charge.refuses(state, replayed, nowMillis);
				return Answer.of(demand, new long[][] { state }, admitted, replayed, Source.LOCAL, nowMillis);
			}
		}
	}

	// The counter of a charge. A new one is kept only if something is to be taken from
	// it.
	private MemoryBucket bucketFor(Charge charge, boolean keep) {
		MemoryBucket present = this.buckets.getIfPresent(charge.bucket());
		if (present == null) {
			return (keep) ? this.buckets.get(charge.bucket(), (key) -> counter(charge)) : counter(charge);
		}
		boolean more = present.expect(charge.bucket().family().arithmetic(), charge.cost());
		// Looking it up sets how long it is kept.
		return (more) ? bucketFor(charge, keep) : present;
	}

	private static MemoryBucket counter(Charge charge) {
		return new MemoryBucket(charge.bucket().family().arithmetic(), charge.cost());
	}

	private void dropped(@Nullable MemoryBucket bucket) {
		if (bucket != null && bucket.discard(this.clock.getAsLong())) {
			this.liveEvictions.increment();
		}
	}

}
