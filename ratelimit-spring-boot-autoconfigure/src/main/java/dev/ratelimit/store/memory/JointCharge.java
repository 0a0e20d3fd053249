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

	Answer decide(Lookup lookup) {
		do {
			if (refusedOnSight(lookup)) {
				return answer(false);
			}
			keepNew(lookup);
		}
		while (!holdAll());
		boolean admitted = admits();
		for (int i = 0; i < this.buckets.length; i++) {
			this.buckets[i].release((admitted) ? after(i) : this.states[i]);
		}
		return answer(admitted);
	}

	private Answer answer(boolean admitted) {
		return Answer.of(this.demand, this.states, admitted, this.replayed, Source.LOCAL, this.nowMillis);
	}

	// One bucket as it is now may refuse: then nothing is held, and nothing is kept.
	private boolean refusedOnSight(Lookup lookup) {
		List<Charge> charges = this.demand.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			this.buckets[i] = lookup.find(charges.get(i), false);
			long[] state = this.buckets[i].settled();
			this.states[i] = (MemoryBucket.isGone(state)) ? Arithmetic.EMPTY : state;
		}
		return !admits();
	}

	private void keepNew(Lookup lookup) {
		List<Charge> charges = this.demand.charges();
		for (int i = 0; i < this.buckets.length; i++) {
			if (this.states[i] == Arithmetic.EMPTY
					&& charges.get(i).takes(Arithmetic.EMPTY, this.replayed, this.nowMillis)) {
				this.buckets[i] = lookup.find(charges.get(i), true);
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

	private long[] after(int index) {
		Charge charge = this.demand.charges().get(index);
		long[] state = this.states[index];
		if (!charge.takes(state, this.replayed, this.nowMillis)) {
			return state;
		}
		Arithmetic arithmetic = charge.bucket().family().arithmetic();
		return arithmetic.charge(state, charge.cost(), this.nowMillis);
	}

	/**
	 * Finds the bucket of a charge.
	 */
	@FunctionalInterface
	interface Lookup {

		/**
		 * Find a bucket.
		 * @param charge the charge
		 * @param keep whether a new bucket is to be kept
		 * @return the bucket there is, or a new one
		 */
		MemoryBucket find(Charge charge, boolean keep);

	}

}
