package dev.ratelimit.store.memory;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the store that counts in this process. A bucket is remembered until it is
 * full again. Beyond the maximum number of buckets, the least used ones are evicted, and
 * a metric counts those that were not full. Thread-safe. Each result is available
 * immediately.
 */
public final class MemoryLimitStore implements LocalLimitStore {

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final LongSupplier clock;

	private final Time time;

	private final MemoryBuckets buckets;

	private final ReplayMarkers markers;

	/**
	 * Create a store.
	 * @param maxBuckets the maximum number of buckets, and also of replay markers
	 * @param clock the time in milliseconds since
	 * {@link dev.ratelimit.algorithm.LimitCalculator#EPOCH_SECONDS}
	 */
	public MemoryLimitStore(long maxBuckets, LongSupplier clock) {
		this(maxBuckets, clock, Time.SYSTEM);
	}

	/**
	 * Create a store with a given monotonic time.
	 * @param maxBuckets the maximum number of buckets, and also of replay markers
	 * @param clock the time in milliseconds since
	 * {@link dev.ratelimit.algorithm.LimitCalculator#EPOCH_SECONDS}
	 * @param time the time by which limits change
	 */
	public MemoryLimitStore(long maxBuckets, LongSupplier clock, Time time) {
		this.clock = clock;
		this.time = time;
		this.buckets = new MemoryBuckets(maxBuckets, clock);
		this.markers = new ReplayMarkers(maxBuckets, clock);
	}

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return CompletableFuture.completedFuture(result(request, this.clock.getAsLong()));
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		MemoryBucket counter = this.buckets.present(new Bucket(family, subject));
		// An existing bucket already includes the usage under former limits.
		return (counter != null) ? counter.charge(family, cost, terms.stance().rejects(), this.clock.getAsLong(),
				reservation, this.buckets) : null;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		boolean takenOver = result.request()
			.marker()
			.filter((marker) -> this.markers.takeBack(marker, result.replay()))
			.isPresent();
		return settle((takenOver) ? result.refunds(false) : result.refunds());
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		long nowMillis = this.clock.getAsLong();
		settlements.forEach((settlement) -> this.buckets.settle(settlement, nowMillis));
		return DONE;
	}

	@Override
	public boolean renewsSlots() {
		return true;
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		long nowMillis = this.clock.getAsLong();
		int lost = 0;
		for (Map.Entry<Bucket, Long> one : held.entrySet()) {
			lost += (this.buckets.hold(one.getKey(), one.getValue(), nowMillis)) ? 0 : 1;
		}
		return CompletableFuture.completedFuture(SlotRenewal.done(lost));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.buckets::discard);
		return DONE;
	}

	/**
	 * Return the number of buckets that were evicted while they were not full: each of
	 * them may have allowed too many units.
	 * @return the count since the start
	 */
	long liveEvictions() {
		return this.buckets.liveEvictions();
	}

	/**
	 * Return the number of buckets that are remembered.
	 * @return the estimated count
	 */
	public long size() {
		return this.buckets.size();
	}

	private AcquireResult result(AcquireRequest request, long nowMillis) {
		for (Charge charge : request.charges()) {
			if (!charge.bucket().family().formers().isEmpty()) {
				move(charge.bucket(), nowMillis);
			}
		}
		if (request.marker().isPresent()) {
			ReplayMarker marker = request.marker().get();
			return this.markers.deciding(marker, nowMillis, (replay) -> decide(request, replay, nowMillis));
		}
		return decide(request, ReplayState.NONE, nowMillis);
	}

	private AcquireResult decide(AcquireRequest request, ReplayState replay, long nowMillis) {
		return (request.charges().size() == 1) ? decideOne(request, replay, nowMillis)
				: new CompositeCharge(this.buckets, request, replay, nowMillis).decide();
	}

	private AcquireResult decideOne(AcquireRequest request, ReplayState replay, long nowMillis) {
		Charge charge = request.charges().get(0);
		MemoryBucket counter = counter(charge, replay.replayed(), nowMillis);
		long[] seen = lookAndTake(charge, counter, replay.replayed(), nowMillis, false);
		for (int attempt = 2; seen == null; attempt++) {
			counter = counter(charge, replay.replayed(), nowMillis);
			seen = lookAndTake(charge, counter, replay.replayed(), nowMillis, attempt == MemoryBuckets.MAX_ATTEMPTS);
		}
		AcquireResult result = AcquireResult.of(request, new long[][] { seen },
				!charge.rejects(seen, replay.replayed(), nowMillis), replay, Source.LOCAL, nowMillis);
		this.buckets.keep(counter, nowMillis + result.verdicts().get(0).resetAfterMillis());
		return result;
	}

	// Returns null if the cache has evicted the bucket meanwhile, unless this is the last
	// attempt. Holds the bucket as briefly as possible, because other threads may wait
	// for it.
	private long @Nullable [] lookAndTake(Charge charge, MemoryBucket counter, boolean replayed, long nowMillis,
			boolean last) {
		counter.hold();
		try {
			if (counter.isGone() && !last) {
				return null;
			}
			// Copy the numbers, because they may be the state itself, which may change
			// below.
			long[] state = counter.state(charge.bucket().family().calculator(), nowMillis);
			long[] seen = charge.look(state, nowMillis).clone();
			if (charge.takes(seen, replayed, nowMillis)) {
				this.buckets.take(counter, charge.cost(), nowMillis);
			}
			return seen;
		}
		finally {
			counter.release();
		}
	}

	private void move(Bucket bucket, long nowMillis) {
		long nowNanos = this.time.nanos();
		if (bucket.family().hasUsedFormers(nowNanos) && this.buckets.present(bucket) == null) {
			this.buckets.move(bucket, nowNanos, nowMillis);
		}
	}

	private MemoryBucket counter(Charge charge, boolean replayed, long nowMillis) {
		MemoryBucket present = this.buckets.present(charge.bucket());
		return (present != null) ? present : this.buckets.find(charge.bucket(),
				charge.takes(charge.look(LimitCalculator.EMPTY, nowMillis), replayed, nowMillis));
	}

	/**
	 * A charge of several buckets. All buckets are held and read together, and either all
	 * or none are changed.
	 */
	private static final class CompositeCharge {

		private final MemoryBuckets all;

		private final AcquireRequest request;

		private final ReplayState replay;

		private final boolean replayed;

		private final long nowMillis;

		private final MemoryBucket[] buckets;

		private final long[][] seen;

		CompositeCharge(MemoryBuckets all, AcquireRequest request, ReplayState replay, long nowMillis) {
			this.all = all;
			this.request = request;
			this.replay = replay;
			this.replayed = replay.replayed();
			this.nowMillis = nowMillis;
			this.buckets = new MemoryBucket[request.charges().size()];
			this.seen = new long[this.buckets.length][];
		}

		AcquireResult decide() {
			AcquireResult result = null;
			for (int attempt = 1; result == null; attempt++) {
				if (rejectedEarly()) {
					return result(false);
				}
				find();
				result = decideHeld(attempt == MemoryBuckets.MAX_ATTEMPTS);
			}
			keep(result);
			return result;
		}

		// If one bucket rejects the request in its current state, the buckets are not
		// held together, and none is created.
		private boolean rejectedEarly() {
			List<Charge> charges = this.request.charges();
			for (int i = 0; i < this.buckets.length; i++) {
				this.seen[i] = sight(charges.get(i), this.all.present(charges.get(i).bucket()));
			}
			return !allows();
		}

		private long[] sight(Charge charge, @Nullable MemoryBucket present) {
			if (present == null) {
				return charge.look(LimitCalculator.EMPTY, this.nowMillis);
			}
			present.hold();
			try {
				return look(charge, present).clone();
			}
			finally {
				present.release();
			}
		}

		private long[] look(Charge charge, MemoryBucket held) {
			return charge.look(held.state(charge.bucket().family().calculator(), this.nowMillis), this.nowMillis);
		}

		private void find() {
			List<Charge> charges = this.request.charges();
			for (int i = 0; i < this.buckets.length; i++) {
				boolean takes = charges.get(i).takes(this.seen[i], this.replayed, this.nowMillis);
				this.buckets[i] = this.all.find(charges.get(i).bucket(), takes);
			}
		}

		private @Nullable AcquireResult decideHeld(boolean last) {
			MemoryBucket[] ordered = this.buckets.clone();
			Arrays.sort(ordered, MemoryBucket.ORDER);
			int held = 0;
			try {
				while (held < ordered.length) {
					ordered[held++].hold();
				}
				return lookAndTake(last);
			}
			finally {
				while (held > 0) {
					ordered[--held].release();
				}
			}
		}

		// Returns null if the cache has evicted a bucket meanwhile, unless this is the
		// last attempt.
		private @Nullable AcquireResult lookAndTake(boolean last) {
			List<Charge> charges = this.request.charges();
			for (int i = 0; i < this.buckets.length; i++) {
				if (this.buckets[i].isGone() && !last) {
					return null;
				}
				this.seen[i] = look(charges.get(i), this.buckets[i]);
			}
			AcquireResult result = result(allows());
			for (int i = 0; result.allowed() && i < this.buckets.length; i++) {
				if (charges.get(i).takes(this.seen[i], this.replayed, this.nowMillis)) {
					this.all.take(this.buckets[i], charges.get(i).cost(), this.nowMillis);
				}
			}
			return result;
		}

		private AcquireResult result(boolean allowed) {
			return AcquireResult.of(this.request, this.seen, allowed, this.replay, Source.LOCAL, this.nowMillis);
		}

		private boolean allows() {
			for (int i = 0; i < this.seen.length; i++) {
				if (this.request.charges().get(i).rejects(this.seen[i], this.replayed, this.nowMillis)) {
					return false;
				}
			}
			return true;
		}

		// Called after all buckets are released: the cache may evict buckets, including
		// these, and waits for threads that hold them.
		private void keep(AcquireResult result) {
			for (int i = 0; i < this.buckets.length; i++) {
				this.all.keep(this.buckets[i], this.nowMillis + result.verdicts().get(i).resetAfterMillis());
			}
		}

	}

}
