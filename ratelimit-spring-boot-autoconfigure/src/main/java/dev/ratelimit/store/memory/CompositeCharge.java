package dev.ratelimit.store.memory;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayState;
import org.jspecify.annotations.Nullable;

/**
 * A charge over several buckets: all are held, looked at, and changed together or left as
 * they were.
 */
final class CompositeCharge {

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
			if (refusedOnSight()) {
				return result(false);
			}
			find();
			result = decideHeld(attempt == MemoryBuckets.ATTEMPTS);
		}
		keep(result);
		return result;
	}

	// One bucket as it is now may reject: then nothing is held, and nothing is created.
	private boolean refusedOnSight() {
		List<Charge> charges = this.request.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			this.seen[i] = sight(charges.get(i), this.all.present(charges.get(i).bucket()));
		}
		return !admits();
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
		return charge.look(held.state(charge.bucket().family().arithmetic(), this.nowMillis), this.nowMillis);
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

	// Null if the cache has let go of a bucket meanwhile, unless this is the last
	// attempt.
	private @Nullable AcquireResult lookAndTake(boolean last) {
		List<Charge> charges = this.request.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			if (this.buckets[i].isGone() && !last) {
				return null;
			}
			this.seen[i] = look(charges.get(i), this.buckets[i]);
		}
		AcquireResult result = result(admits());
		for (int i = 0; result.admitted() && i < this.buckets.length; i++) {
			if (charges.get(i).takes(this.seen[i], this.replayed, this.nowMillis)) {
				this.all.take(this.buckets[i], charges.get(i).cost(), this.nowMillis);
			}
		}
		return result;
	}

	private AcquireResult result(boolean admitted) {
		return AcquireResult.of(this.request, this.seen, admitted, this.replay, Source.LOCAL, this.nowMillis);
	}

	private boolean admits() {
		for (int i = 0; i < this.seen.length; i++) {
			if (this.request.charges().get(i).refuses(this.seen[i], this.replayed, this.nowMillis)) {
				return false;
			}
		}
		return true;
	}

	// Only once nothing is held any more: the cache may let go of buckets meanwhile,
	// these included, and waits for whoever holds them.
	private void keep(AcquireResult result) {
		for (int i = 0; i < this.buckets.length; i++) {
			this.all.keep(this.buckets[i], this.nowMillis + result.verdicts().get(i).resetAfterMillis());
		}
	}

}
