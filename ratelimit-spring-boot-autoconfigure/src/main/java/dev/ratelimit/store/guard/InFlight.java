package dev.ratelimit.store.guard;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;

/**
 * The decisions that wait for the store, of which there is a maximum. A quarter of it is
 * kept for closed rules: they refuse what the store is not asked, so a flood on other
 * rules must not take their places. One subject has at most half of the places, so that
 * the first requests of a flood leave room for others. Subjects are told apart by a hash:
 * some share a part. Thread-safe.
 */
final class InFlight {

	private static final int KEPT_PART = 4;

	private static final int PARTS = 256;

	private final int max;

	private final int maxOfOthers;

	private final int maxOfOne;

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicIntegerArray parts = new AtomicIntegerArray(PARTS);

	InFlight(int max) {
		this.max = max;
		this.maxOfOthers = Math.max(1, max - max / KEPT_PART);
		this.maxOfOne = Math.max(1, max / 2);
	}

	/**
	 * Take a place.
	 * @param demand whose place
	 * @return whether there was one
	 */
	boolean enter(AcquireRequest demand) {
		int now = this.count.incrementAndGet();
		int ofOne = this.parts.incrementAndGet(part(demand));
		if (ofOne <= this.maxOfOne && (now <= this.maxOfOthers || (now <= this.max && isClosed(demand)))) {
			return true;
		}
		leave(demand);
		return false;
	}

	void leave(AcquireRequest demand) {
		this.count.decrementAndGet();
		this.parts.decrementAndGet(part(demand));
	}

	int count() {
		return this.count.get();
	}

	private static int part(AcquireRequest demand) {
		int hash = demand.charges().get(0).bucket().subject().hashCode();
		return (hash ^ (hash >>> 16)) & (PARTS - 1);
	}

	private static boolean isClosed(AcquireRequest demand) {
		for (Charge charge : demand.charges()) {
			if (charge.failure() == FailurePolicy.CLOSED && !charge.shadow()) {
				return true;
			}
		}
		return false;
	}

}
