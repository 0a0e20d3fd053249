package dev.ratelimit.store.lease;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;

/**
 * Units of one bucket that this instance has leased, and may spend until their end.
 * Nothing waits: takers compete for one number. Thread-safe.
 */
final class Lease {

	/** There is not enough left, or the lease has ended. */
	static final long MISS = -1;

	private static final long CLOSED = -1;

	private static final AtomicLongFieldUpdater<Lease> UNSPENT = AtomicLongFieldUpdater.newUpdater(Lease.class,
			"unspent");

	private static final AtomicIntegerFieldUpdater<Lease> LEASING = AtomicIntegerFieldUpdater.newUpdater(Lease.class,
			"leasing");

	private final Bucket bucket;

	private final String holder;

	/** Units to spend; {@link #CLOSED} once nothing can be taken or added any more. */
	private volatile long unspent;

	private volatile int leasing;

	private volatile LeaseTerms terms;

	/** At how many units left more are fetched. */
	private volatile long refillAt;

	/** Until when it makes no sense to lease: there was nothing to spare. */
	private volatile long barrenUntilNanos;

	/** Units left when demand was counted last; written by the thread that leases. */
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
	 * Take units under a limit.
	 * @param terms the terms, as they were read before
	 * @param limit the limit that is active
	 * @param units how many
	 * @param nowNanos the time
	 * @return units left, or {@link #MISS}, also if they were leased under another limit
	 */
	long take(LeaseTerms terms, BucketFamily limit, long units, long nowNanos) {
		return (terms.family() == limit) ? take(terms, units, nowNanos) : MISS;
	}

	/**
	 * Take units.
	 * @param terms the terms, as they were read before
	 * @param units how many
	 * @param nowNanos the time
	 * @return units left, or {@link #MISS}
	 */
	long take(LeaseTerms terms, long units, long nowNanos) {
		// Units of a first lease may be here already, what is known of it is not.
		if (terms.blank() || terms.ended(nowNanos)) {
			return MISS;
		}
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
	 * Put units back that were charged some time ago, here or by the store. Not while
	 * more are leased: that call says how many are held.
	 * @param units how many
	 * @param takenAtMillis the store's time of the charge
	 * @param nowNanos the time
	 * @return whether they are here now; if not, they are to be given to the store
	 */
	boolean refund(long units, long takenAtMillis, long nowNanos) {
		LeaseTerms current = this.terms;
		return !isLeasing() && !current.ended(nowNanos) && takenAtMillis >= current.sinceMillis()
				&& add(units, current.most());
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
	 * Add what was leased.
	 * @param next the new terms
	 * @param units units leased
	 * @param refillAt at how many units left more are to be fetched, at most
	 * @param nowNanos the time
	 * @return units that have expired since the lease had ended, or {@link #MISS} if it
	 * is closed and nothing was added
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
				// A thread that reads the old terms until then returns less than it
				// could.
				this.terms = next;
				this.counted = (ended) ? after : this.counted + units;
				this.refillAt = Math.min(after / 2, Math.max((refillAt == 0) ? 0 : after / 3, refillAt));
				return (ended) ? before : 0;
			}
		}
	}

	// Each refill that brings nothing is followed by one at a third of what is left, so
	// there are few of them however little there is to spare.
	void refillLater() {
		this.refillAt = unspent() / 3;
	}

	/**
	 * Units spent since the last call of this method. Called by the thread that leases.
	 * @return the number, about
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
	 * Become the only thread that leases.
	 * @param nowNanos the time
	 * @return whether this thread is; then {@link #endLeasing} must follow
	 */
	boolean beginLeasing(long nowNanos) {
		return nowNanos - this.barrenUntilNanos >= 0 && LEASING.compareAndSet(this, 0, 1);
	}

	void endLeasing() {
		this.leasing = 0;
	}

	/**
	 * End it.
	 * @return units that were left
	 */
	long close() {
		return Math.max(0, UNSPENT.getAndSet(this, CLOSED));
	}

	/**
	 * Whether nothing was taken for some time. Called by one thread alone.
	 * @param nowNanos the time
	 * @param idleNanos how long
	 * @return whether it is idle
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
