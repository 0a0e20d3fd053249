package dev.ratelimit.store.memory;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;

/**
 * A charge over several buckets: all are held, looked at, and changed together or put
 * back as they were.
 */
final class JointCharge {

	private final Demand demand;

	private final boolean replayed;

	private final long nowMillis;

	private final MemoryBucket[] buckets;

	private final long[][] states;

	JointCharge(Demand demand, boolean replayed, long nowMillis) {
		this.demand = demand;
		this.replayed = replayed;
		this.nowMillis = nowMillis;
		this.buckets = new MemoryBucket[demand.charges().size()];
		this.states = new long[this.buckets.length][];
	}

	Answer decide(MemoryBuckets all) {
		do {
			if (refusedOnSight(all)) {
				return answer(false);
			}
			createNew(all);
		}
		while (!holdAll());
		boolean admitted = admits();
		long[][] after = afterwards(admitted);
		for (int i = 0; i < this.buckets.length; i++) {
			this.buckets[i].release(after[i]);
		}
		keep(after, all);
		return answer(admitted);
	}

	private Answer answer(boolean admitted) {
		return Answer.of(this.demand, this.states, admitted, this.replayed, Source.LOCAL, this.nowMillis);
	}

	// One bucket as it is now may refuse: then nothing is held, and nothing is created.
	private boolean refusedOnSight(MemoryBuckets all) {
		List<Charge> charges = this.demand.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			this.buckets[i] = all.find(charges.get(i), false);
			long[] state = this.buckets[i].settled();
			this.states[i] = (MemoryBucket.isGone(state)) ? Arithmetic.EMPTY : state;
		}
		return !admits();
	}

	private void createNew(MemoryBuckets all) {
		List<Charge> charges = this.demand.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			if (this.states[i] == Arithmetic.EMPTY
					&& charges.get(i).takes(Arithmetic.EMPTY, this.replayed, this.nowMillis)) {
				this.buckets[i] = all.find(charges.get(i), true);
			}
		}
	}

	private boolean holdAll() {
		MemoryBucket[] ordered = this.buckets.clone();
		Arrays.sort(ordered, MemoryBucket.ORDER);
		for (int held = 0; held < ordered.length; held++) {
			long[] state = ordered[held].hold();
			this.states[indexOf(ordered[held])] = state;
			if (MemoryBucket.isGone(state)) {
				releaseFirst(ordered, held);
				return false;
			}
		}
		return true;
	}

	private void releaseFirst(MemoryBucket[] ordered, int count) {
		for (int i = 0; i < count; i++) {
			ordered[i].release(this.states[indexOf(ordered[i])]);
		}
	}

	private int indexOf(MemoryBucket bucket) {
		int index = 0;
		while (this.buckets[index] != bucket) {
			index++;
		}
		return index;
	}

	private boolean admits() {
		for (int i = 0; i < this.states.length; i++) {
			if (this.demand.charges().get(i).refuses(this.states[i], this.replayed, this.nowMillis)) {
				return false;
			}
		}
		return true;
	}

	// What is not taken stays the same array.
	private long[][] afterwards(boolean admitted) {
		long[][] after = this.states.clone();
		for (int i = 0; i < after.length; i++) {
			Charge charge = this.demand.charges().get(i);
			if (admitted && charge.takes(after[i], this.replayed, this.nowMillis)) {
				after[i] = charge.bucket().family().arithmetic().charge(after[i], charge.cost(), this.nowMillis);
			}
		}
		return after;
	}

	// Only once nothing is held any more: the cache may let go of buckets meanwhile,
	// these
	// included, and waits for whoever holds them.
	private void keep(long[][] after, MemoryBuckets all) {
		for (int i = 0; i < after.length; i++) {
			if (after[i] != this.states[i]) {
				all.keep(this.demand.charges().get(i), this.buckets[i], after[i], this.nowMillis);
			}
		}
	}

}
