package dev.ratelimit.store.denial;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.ratelimit.Consistency;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;

/**
 * The response of the store for one exhausted bucket: a cost and all larger costs do not
 * fit until a certain time. After that, for the same duration, one request at a time may
 * call the store, and other requests are rejected until its response. Thread-safe.
 */
final class Denial {

	private static final AtomicLongFieldUpdater<Denial> CALLED_UNTIL = AtomicLongFieldUpdater.newUpdater(Denial.class,
			"calledUntilNanos");

	/** No request calls the store. */
	private static final long NO_CALL = Long.MIN_VALUE;

	private final BucketFamily family;

	private final long cost;

	private final long[] seen;

	/** The store's time of its response. */
	private final long atMillis;

	/** The time for which the cost does not fit, or {@link Wait#NEVER}. */
	private final long waitMillis;

	private final long repliedNanos;

	private final long untilNanos;

	private volatile long calledUntilNanos = NO_CALL;

	/**
	 * Create a denial.
	 * @param family the bucket's family
	 * @param cost the smallest cost that does not fit
	 * @param seen the numbers seen of the bucket, for this cost
	 * @param atMillis the store's time
	 * @param waitMillis the time for which the cost does not fit, or {@link Wait#NEVER}
	 * @param repliedNanos the time of the response
	 * @param untilNanos the time until which the denial applies
	 */
	Denial(BucketFamily family, long cost, long[] seen, long atMillis, long waitMillis, long repliedNanos,
			long untilNanos) {
		this.family = family;
		this.cost = cost;
		this.seen = seen;
		this.atMillis = atMillis;
		this.waitMillis = waitMillis;
		this.repliedNanos = repliedNanos;
		this.untilNanos = untilNanos;
	}

	/**
	 * Whether a denial may reject a charge. It must not reject a charge that costs
	 * nothing, does not enforce its limit, holds a slot, is leased, or may be waived for
	 * a retry.
	 * @param charge the charge
	 * @param request the request that the charge is part of
	 * @return whether denials of its bucket apply to the charge
	 */
	static boolean mayReject(Charge charge, AcquireRequest request) {
		boolean waivable = charge.replayable() && request.marker().isPresent();
		return charge.cost() > 0 && charge.mayReject() && mayReject(charge.bucket().family(), charge.consistency())
				&& !waivable && !charge.bucket().family().policy().concurrent();
	}

	// The lease stage itself tracks exhausted buckets of leased rules. Buckets in memory
	// are read as fast as denials.
	static boolean mayReject(BucketFamily family, Consistency consistency) {
		return !family.isLocal() && (consistency == Consistency.STRICT || !family.calculator().supportsLeasing());
	}

	/**
	 * Return the time for which the denial is remembered: twice the time for which it
	 * applies, so that one request at a time calls the store during a flood.
	 * @return the time after the response
	 */
	Duration keptFor() {
		return Duration.ofNanos(2 * (this.untilNanos - this.repliedNanos));
	}

	/**
	 * Whether the denial applies to a charge: under another capacity, the same bucket may
	 * not be exhausted, and a smaller cost may fit.
	 * @param charge a charge on the bucket
	 * @return whether the charge does not fit either
	 */
	boolean covers(Charge charge) {
		BucketFamily other = charge.bucket().family();
		return charge.cost() >= this.cost && (this.family == other || this.family.policy().equals(other.policy()));
	}

	long cost() {
		return this.cost;
	}

	boolean holds(long nowNanos) {
		return nowNanos - this.untilNanos < 0;
	}

	/**
	 * Whether requests are rejected now: the denial still applies, or another request is
	 * calling the store.
	 * @param nowNanos the time
	 * @return whether the store must not be called
	 */
	boolean rejects(long nowNanos) {
		long calledUntil = this.calledUntilNanos;
		return holds(nowNanos) || (calledUntil != NO_CALL && nowNanos - calledUntil < 0);
	}

	/**
	 * Try to make a request the one that calls the store.
	 * @param nowNanos the time
	 * @param deadlineNanos the time until which the request waits for a response
	 * @return whether the request may call the store
	 */
	boolean beginCall(long nowNanos, long deadlineNanos) {
		long calledUntil = this.calledUntilNanos;
		return (calledUntil == NO_CALL || nowNanos - calledUntil >= 0)
				&& CALLED_UNTIL.compareAndSet(this, calledUntil, deadlineNanos);
	}

	/**
	 * End the call of the request that called the store. It had no response, or a
	 * response that does not show the state of the bucket.
	 */
	void endCall() {
		this.calledUntilNanos = NO_CALL;
	}

	/**
	 * Return the verdict on a charge that the denial covers, with the remaining wait.
	 * @param charge the charge
	 * @param nowNanos the time
	 * @return the verdict, which is a rejection
	 */
	Verdict verdict(Charge charge, long nowNanos) {
		LimitCalculator calculator = this.family.calculator();
		long[] forCost = (charge.cost() == this.cost) ? this.seen : calculator.seenForMore(this.seen, charge.cost());
		long passedMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - this.repliedNanos));
		long mostMillis = (this.waitMillis == Wait.NEVER) ? passedMillis : this.waitMillis - 1;
		return charge.verdict(forCost, false, false, this.atMillis + Math.min(passedMillis, mostMillis));
	}

}
