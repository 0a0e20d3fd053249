package dev.ratelimit.store.lease;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;

/**
 * Units of one bucket that this instance has leased, and may spend until the lease ends.
 * No method blocks: threads update one number atomically. Thread-safe.
 */
final class Lease {

	/** The lease has too few units, or it has ended. */
	static final long MISS = -1;

	private static final long CLOSED = -1;

	private static final AtomicLongFieldUpdater<Lease> UNSPENT = AtomicLongFieldUpdater.newUpdater(Lease.class,
			"unspent");

	private static final AtomicIntegerFieldUpdater<Lease> LEASING = AtomicIntegerFieldUpdater.newUpdater(Lease.class,
			"leasing");

	private final Bucket bucket;

	private final String holder;

	/** Units to spend; {@link #CLOSED} once the lease is closed. */
	private volatile long unspent;

	private volatile int leasing;

	private volatile LeaseTerms terms;

	/** The number of remaining units at which more units are leased. */
	private volatile long refillAt;

	/** The time until which no units are leased, because the store had none to spare. */
	private volatile long barrenUntilNanos;

	/**
	 * The remaining units when demand was last counted; written by the thread that
	 * leases.
	 */
	private volatile long counted;

	private long unspentBefore = -1;

	private long idleSinceNanos;

	Lease(Bucket bucket, String holder, LeaseTerms terms) {
		this.bucket = bucket;
		this.holder = holder;
		this.terms = terms;
		this.barrenUntilNanos = terms.sentNanos();
	}

	Bucket bucket() {
		return this.bucket;
	}

	String holder() {
		return this.holder;
	}

	LeaseTerms terms() {
		return this.terms;
	}

	long unspent() {
		return Math.max(0, this.unspent);
	}

	/**
	 * Take units if they were leased under the active limit.
	 * @param terms the terms that the thread has read before
	 * @param limit the active limit
	 * @param units the number of units
	 * @param nowNanos the time
	 * @return the remaining units, or {@link #MISS}, also if the units were leased under
	 * another limit
	 */
	long take(LeaseTerms terms, BucketFamily limit, long units, long nowNanos) {
		return (terms.family() == limit) ? take(terms, units, nowNanos) : MISS;
	}

	/**
	 * Take units.
	 * @param terms the terms that the thread has read before
	 * @param units the number of units
	 * @param nowNanos the time
	 * @return the remaining units, or {@link #MISS}
	 */
	long take(LeaseTerms terms, long units, long nowNanos) {
		// The units of a first lease are added before its terms are set.
		return (terms.blank() || terms.ended(nowNanos)) ? MISS : subtract(units);
	}

	// Returns the remaining units, or MISS if there are too few.
	private long subtract(long units) {
		while (true) {
			long before = this.unspent;
			if (before < units) {
				return MISS;
			}
			if (UNSPENT.compareAndSet(this, before, before - units)) {
				return before - units;
			}
		}
	}

	/**
	 * Put back units that were charged earlier, by this instance or by the store. Fails
	 * while more units are leased, because that call contains the number of held units.
	 * @param units the number of units
	 * @param takenAtMillis the store's time of the charge
	 * @param nowNanos the time
	 * @return whether the units were put back; if not, the store must refund them
	 */
	boolean refund(long units, long takenAtMillis, long nowNanos) {
		LeaseTerms current = this.terms;
		boolean added = !isLeasing() && !current.ended(nowNanos) && takenAtMillis >= current.sinceMillis()
				&& add(units, current.most());
		// A call that leases more may have read the number of held units before. Units
		// that another request has taken meanwhile stay refunded.
		return added && (!isLeasing() || subtract(units) == MISS);
	}

	private boolean add(long units, long most) {
		while (true) {
			long before = this.unspent;
			if (before == CLOSED || before > most - units) {
				return false;
			}
			if (UNSPENT.compareAndSet(this, before, before + units)) {
				return true;
			}
		}
	}

	/**
	 * Add leased units.
	 * @param next the new terms
	 * @param units the leased units
	 * @param refillAt the number of remaining units at which more units are leased, which
	 * is adjusted to between a third and a half of all units; 0 to lease only when no
	 * units remain
	 * @param nowNanos the time
	 * @return the units that expired because the lease had ended, or {@link #MISS} if the
	 * lease is closed and no units were added
	 */
	long leased(LeaseTerms next, long units, long refillAt, long nowNanos) {
		boolean ended = this.terms.ended(nowNanos);
		while (true) {
			long before = this.unspent;
			if (before == CLOSED) {
				return MISS;
			}
			long after = units + ((ended) ? 0 : before);
			if (UNSPENT.compareAndSet(this, before, after)) {
				// Until this assignment, other threads use the old terms, which allow
				// less.
				this.terms = next;
				this.counted = (ended) ? after : this.counted + units;
				this.refillAt = Math.min(after / 2, Math.max((refillAt == 0) ? 0 : after / 3, refillAt));
				return (ended) ? before : 0;
			}
		}
	}

	// After a refill without units, the next refill is at a third of the remaining units,
	// so that there are few refills if the store has few units to spare.
	void refillLater() {
		this.refillAt = unspent() / 3;
	}

	/**
	 * Return the units spent since the last call of this method. Called by the thread
	 * that leases.
	 * @return the approximate number
	 */
	long spentSince() {
		long left = unspent();
		long spent = Math.max(0, this.counted - left);
		this.counted = left;
		return spent;
	}

	boolean isLeasing() {
		return this.leasing != 0;
	}

	boolean runsLow(long left) {
		return left <= this.refillAt && this.leasing == 0;
	}

	void barrenUntil(long nanos) {
		this.barrenUntilNanos = nanos;
	}

	/**
	 * Try to make this thread the only one that leases.
	 * @param nowNanos the time
	 * @return whether this thread may lease; then it must call {@link #endLeasing}
	 */
	boolean beginLeasing(long nowNanos) {
		return nowNanos - this.barrenUntilNanos >= 0 && LEASING.compareAndSet(this, 0, 1);
	}

	void endLeasing() {
		this.leasing = 0;
	}

	/**
	 * Close the lease.
	 * @return the remaining units
	 */
	long close() {
		return Math.max(0, UNSPENT.getAndSet(this, CLOSED));
	}

	/**
	 * Whether the units have not changed for some time. Called by one thread only.
	 * @param nowNanos the time
	 * @param idleNanos the minimum time without a change
	 * @return whether the lease is idle
	 */
	boolean idle(long nowNanos, long idleNanos) {
		long left = this.unspent;
		if (left != this.unspentBefore) {
			this.unspentBefore = left;
			this.idleSinceNanos = nowNanos;
		}
		return nowNanos - this.idleSinceNanos >= idleNanos;
	}

}
