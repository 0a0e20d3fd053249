package dev.ratelimit.store.lease;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.store.Bucket;

/**
 * Internal: the counts of leased units on this instance:
 * {@code spent - refunded + returned + expired + held = granted}, as soon as nothing is
 * pending. Thread-safe.
 */
public final class LeaseStatus {

	private final LongSupplier held;

	private final ToLongFunction<Bucket> heldOf;

	final LongAdder granted = new LongAdder();

	final LongAdder spent = new LongAdder();

	final LongAdder refunded = new LongAdder();

	final LongAdder returned = new LongAdder();

	final LongAdder expired = new LongAdder();

	final LongAdder returning = new LongAdder();

	final LongAdder refills = new LongAdder();

	final LongAdder local = new LongAdder();

	final LongAdder remote = new LongAdder();

	LeaseStatus(LongSupplier held, ToLongFunction<Bucket> heldOf) {
		this.held = held;
		this.heldOf = heldOf;
	}

	/**
	 * Return the units that were leased to this instance.
	 * @return the sum since the start
	 */
	long granted() {
		return this.granted.sum();
	}

	/**
	 * Return the leased units that requests have spent.
	 * @return the sum since the start
	 */
	long spent() {
		return this.spent.sum();
	}

	/**
	 * Return the units that were refunded to an active lease.
	 * @return the sum since the start
	 */
	long refunded() {
		return this.refunded.sum();
	}

	/**
	 * Return the units that were returned to the store.
	 * @return the sum since the start
	 */
	long returned() {
		return this.returned.sum();
	}

	/**
	 * Return the units that were lost: the lease ended, the bucket was reset, or the
	 * units could not be returned to the store.
	 * @return the sum since the start
	 */
	long expired() {
		return this.expired.sum();
	}

	/**
	 * Return the number of times that units were fetched ahead of need.
	 * @return the count since the start
	 */
	long refills() {
		return this.refills.sum();
	}

	/**
	 * Return the number of allowed and rejected requests under leased rules that this
	 * instance decided without a call.
	 * @return the count since the start
	 */
	public long local() {
		return this.local.sum();
	}

	/**
	 * Return the number of decisions on leased rules that called the store.
	 * @return the count since the start
	 */
	long remote() {
		return this.remote.sum();
	}

	/**
	 * Return the units that are held now or are being returned.
	 * @return the sum at this moment
	 */
	public long held() {
		return this.held.getAsLong() + this.returning.sum();
	}

	/**
	 * Return the units of a bucket that are held now.
	 * @param bucket the bucket
	 * @return the number at this moment
	 */
	public long held(Bucket bucket) {
		return this.heldOf.applyAsLong(bucket);
	}

}
