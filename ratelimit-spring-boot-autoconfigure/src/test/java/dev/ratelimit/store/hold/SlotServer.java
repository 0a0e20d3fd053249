package dev.ratelimit.store.hold;

import dev.ratelimit.Source;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayState;

/**
 * Calculates the slots of one bucket as Redis does. {@code HolderTests} verifies that the
 * calculations in Java and Lua have the same results.
 */
final class SlotServer {

	private final LimitCalculator calculator;

	private long[] state = LimitCalculator.EMPTY;

	private long losses;

	SlotServer(BucketFamily family) {
		this.calculator = family.calculator();
	}

	AcquireResult acquire(long holder, AcquireRequest request, long nowMillis) {
		Charge charge = request.charges().get(0);
		long[] seen = charge.look(this.state, nowMillis);
		boolean allowed = !charge.rejects(seen, false, nowMillis);
		if (allowed) {
			this.state = this.calculator.heldBy(holder).take(this.state, charge.cost(), nowMillis);
		}
		return AcquireResult.of(request, new long[][] { seen }, allowed, ReplayState.NONE, Source.REMOTE, nowMillis);
	}

	void release(long holder, long units, long nowMillis) {
		this.state = this.calculator.heldBy(holder).settle(this.state, nowMillis, -units, nowMillis);
	}

	int renew(long holder, long units, long nowMillis) {
		LimitCalculator own = this.calculator.heldBy(holder);
		int lost = (units > 0 && !own.holds(this.state)) ? 1 : 0;
		this.state = own.hold(this.state, units, nowMillis);
		return lost;
	}

	void loseAll() {
		this.state = LimitCalculator.EMPTY;
		this.losses++;
	}

	/**
	 * Return the number of data losses.
	 */
	long losses() {
		return this.losses;
	}

	long used(long nowMillis) {
		return this.calculator.capacity()
				- this.calculator.read(this.calculator.look(this.state, 0, nowMillis), 0, false, nowMillis).remaining();
	}

}
