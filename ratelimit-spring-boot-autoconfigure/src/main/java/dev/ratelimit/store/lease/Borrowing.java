package dev.ratelimit.store.lease;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeResult;
import dev.ratelimit.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a charge that goes to the store leases on the way, and what becomes of it. Used by
 * one decision.
 */
final class Borrowing {

	/** For so long nothing is leased of a bucket that has nothing to spare. */
	private static final long BARREN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Fewer units than these are not worth a call, where many are spent. */
	private static final long SCARCE = 4;

	/** A lease that serves fewer requests than these costs more than it saves. */
	private static final long WORTH_REQUESTS = 2;

	private final Leases leases;

	private final LeaseSettings settings;

	private final Charge charge;

	private final long nowNanos;

	private final double perSecond;

	private final @Nullable Lease lease;

	private final LeaseRequest borrow;

	private Borrowing(Leases leases, LeaseSettings settings, Charge charge, long nowNanos, double perSecond,
			@Nullable Lease lease, LeaseRequest borrow) {
		this.leases = leases;
		this.settings = settings;
		this.charge = charge;
		this.nowNanos = nowNanos;
		this.perSecond = perSecond;
		this.lease = lease;
		this.borrow = borrow;
	}

	/**
	 * Work out what to lease: as much as is spent within a while, nothing where that is
	 * next to nothing or where somebody else is borrowing already.
	 * @param leases the leases
	 * @param settings how
	 * @param rates what was requested lately
	 * @param charge the charge on a bucket that may be leased
	 * @param cost what goes to the store now
	 * @param nowNanos the time
	 * @return what to lease
	 */
	static Borrowing of(Leases leases, LeaseSettings settings, DemandRates rates, Charge charge, long cost,
			long nowNanos) {
		Lease known = leases.find(charge.bucket());
		long held = (known != null) ? known.unspent() : 0;
		boolean free = known == null || known.ask(nowNanos);
		long spent = (known != null && free) ? known.spentSince() : 0;
		double perSecond = rates.note(charge.bucket(), cost + spent, nowNanos);
		long units = units(settings, charge, perSecond) - held;
		Lease lease = known;
		if (free && units > 0 && known == null) {
			lease = leases.open(charge.bucket(), nowNanos);
			free = lease != null && lease.ask(nowNanos);
		}
		if (lease == null || !free || units <= 0) {
			if (known != null && free) {
				known.refillLater();
				known.asked();
			}
			return new Borrowing(leases, settings, charge, nowNanos, perSecond, null, LeaseRequest.NONE);
		}
		return new Borrowing(leases, settings, charge, nowNanos, perSecond, lease,
				new LeaseRequest(lease.borrower(), units, held, settings.loanMillis()));
	}

	private static long units(LeaseSettings settings, Charge charge, double perSecond) {
		if (charge.consistency() == Consistency.AUTO && perSecond < settings.hotPerSecond()) {
			return 0;
		}
		long ahead = (long) (perSecond * settings.ahead().toMillis() / 1000);
		// One request alone is not a demand, however much it costs.
		return (ahead >= WORTH_REQUESTS * charge.cost()) ? ahead : 0;
	}

	boolean none() {
		return this.lease == null;
	}

	/**
	 * Whether next to nothing was leased to somebody who could have used much.
	 * @param answer the result of the store
	 * @param index the number of the charge in it
	 * @return whether the bucket is as good as empty
	 */
	boolean scarce(AcquireResult answer, int index) {
		return this.borrow.units() >= 2 * SCARCE && answer.admitted() && answer.charge(index).lent() < SCARCE
				&& answer.verdicts().get(index).remaining() < this.borrow.units();
	}

	Charge charge() {
		return this.charge;
	}

	Charge charge(long cost) {
		return (this.lease != null) ? this.charge.borrowing(cost, this.borrow) : this.charge;
	}

	/**
	 * Keep what was leased.
	 * @param answer the result of the store
	 * @param index the number of the charge in it
	 * @param laterNanos when it came
	 */
	void answered(AcquireResult answer, int index, long laterNanos) {
		Lease borrower = this.lease;
		if (borrower == null) {
			return;
		}
		// Also where nothing was leased, the store has noted what is held.
		if (answer.admitted() && answer.source() == Source.REMOTE) {
			keep(borrower, answer, index, laterNanos);
		}
		if (answer.charge(index).lent() == 0) {
			borrower.refillLater();
			// After a rejection there will be more when it is asked next.
			borrower.barrenUntil((answer.admitted()) ? laterNanos + BARREN_NANOS : laterNanos);
		}
		borrower.asked();
	}

	private void keep(Lease borrower, AcquireResult answer, int index, long laterNanos) {
		ChargeResult charged = answer.charge(index);
		long units = charged.lent();
		LeaseStatus status = this.leases.status();
		status.granted.add(units);
		long expired = borrower.lent(terms(borrower, answer, index, laterNanos), units,
				refillAt(answer, index, laterNanos), laterNanos);
		if (expired == Lease.MISS && units > 0) {
			this.leases.giveBack(borrower, charged.takenAtMillis(), units);
		}
		else if (expired > 0) {
			status.expired.add(expired);
		}
	}

	// About what is spent until the store has responded; nothing is fetched ahead of need
	// from a bucket that is as good as empty, where it would be little each time.
	private long refillAt(AcquireResult answer, int index, long laterNanos) {
		long spare = answer.verdicts().get(index).remaining() - answer.charge(index).lent();
		double seconds = (laterNanos - this.nowNanos) / 1e9;
		return (spare < this.borrow.units()) ? 0 : 1 + (long) (this.perSecond * seconds);
	}

	private LeaseTerms terms(Lease borrower, AcquireResult answer, int index, long laterNanos) {
		ChargeResult charged = answer.charge(index);
		long[] seen = charged.seen().orElse(LimitCalculator.EMPTY);
		long takenAt = charged.takenAtMillis();
		long open = this.charge.bucket().family().arithmetic().openMillis(seen, takenAt);
		long lastsNanos = this.settings.length().toNanos();
		long since = Long.MIN_VALUE;
		if (open != Long.MAX_VALUE) {
			// The store's milliseconds are rounded down.
			lastsNanos = Math.min(lastsNanos, TimeUnit.MILLISECONDS.toNanos(open - 1));
			// A lease never lasts beyond its window.
			boolean sameWindow = !borrower.terms().ended(laterNanos);
			since = (sameWindow) ? Math.min(borrower.terms().sinceMillis(), takenAt) : takenAt;
		}
		long cost = answer.taken(index) ? answer.verdicts().get(index).cost() : 0;
		return new LeaseTerms(this.charge.bucket().family(), takenAt, since, this.nowNanos, this.nowNanos + lastsNanos,
				seen, cost + charged.lent(), this.borrow.held() + charged.lent());
	}

	/** There was no response. */
	void failed() {
		Lease borrower = this.lease;
		if (borrower != null) {
			borrower.refillLater();
			borrower.asked();
		}
	}

}
