package dev.ratelimit.store.guard;

import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;

/**
 * The decisions that wait for the store, of which there is a maximum. A quarter of it is
 * kept for closed rules: they refuse what the store is not asked, so a flood on other
 * rules must not take their places. Thread-safe.
 */
final class InFlight {

	private static final int KEPT_PART = 4;

	private final int max;

	private final int maxOfOthers;

	private final AtomicInteger count = new AtomicInteger();

	InFlight(int max) {
		this.max = max;
		this.maxOfOthers = Math.max(1, max - max / KEPT_PART);
	}

	/**
	 * Take a place.
	 * @param demand whose place
	 * @return whether there was one
	 */
	boolean enter(Demand demand) {
		int now = this.count.incrementAndGet();
		if (now <= this.maxOfOthers || (now <= this.max && isClosed(demand))) {
			return true;
		}
		leave();
		return false;
	}

	void leave() {
		this.count.decrementAndGet();
	}

	int count() {
		return this.count.get();
	}

	private static boolean isClosed(Demand demand) {
		for (Charge charge : demand.charges()) {
			if (charge.failure() == FailurePolicy.CLOSED && !charge.shadow()) {
				return true;
			}
		}
		return false;
	}

}
