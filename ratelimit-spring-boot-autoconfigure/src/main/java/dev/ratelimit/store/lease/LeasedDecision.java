package dev.ratelimit.store.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * One request of which some charges may be leased. It takes units from all leases that
 * have enough, calls the store once for the other charges, and puts the units back if the
 * store rejects the request.
 */
final class LeasedDecision {

	private final LeasedUnits units;

	private final AcquireRequest request;

	private final List<Charge> charges;

	private final long nowNanos;

	/** The lease that each charge was taken from. */
	private final @Nullable Lease[] leases;

	private final @Nullable LeaseTerms[] terms;

	private final long[] left;

	private final List<PlannedLease> plans = new ArrayList<>();

	/** The positions of the charges that go to the store. */
	private int[] requested = {};

	LeasedDecision(LeasedUnits units, AcquireRequest request, long nowNanos) {
		this.units = units;
		this.request = request;
		this.charges = request.charges();
		this.nowNanos = nowNanos;
		this.leases = new Lease[this.charges.size()];
		this.terms = new LeaseTerms[this.charges.size()];
		this.left = new long[this.charges.size()];
	}

	CompletableFuture<AcquireResult> start() {
		for (int i = 0; i < this.leases.length; i++) {
			if (LeasedUnits.leased(this.charges.get(i))) {
				take(i);
			}
		}
		this.requested = missing();
		for (int i : this.requested) {
			Charge charge = this.charges.get(i);
			Optional<Verdict> empty = this.units.rejection(charge, this.request);
			if (empty.isPresent()) {
				putBack();
				this.units.status().local.increment();
				return CompletableFuture.completedFuture(rejected(i, empty.get()));
			}
		}
		return (this.requested.length == 0) ? CompletableFuture.completedFuture(local()) : acquire();
	}

	/**
	 * Call the store for the only charge and the planned lease.
	 * @param plan the planned lease
	 * @return the result
	 */
	CompletableFuture<AcquireResult> start(PlannedLease plan) {
		this.requested = missing();
		this.plans.add(plan);
		return send(List.of(plan.charge(plan.charge().cost())));
	}

	private void take(int index) {
		Charge charge = this.charges.get(index);
		this.units.tidy(charge.bucket(), this.nowNanos);
		Lease lease = this.units.find(charge.bucket());
		if (lease == null) {
			return;
		}
		LeaseTerms terms = lease.terms();
		long after = lease.take(terms, charge.cost(), this.nowNanos);
		if (after != Lease.MISS) {
			this.leases[index] = lease;
			this.terms[index] = terms;
			this.left[index] = after;
		}
	}

	private int[] missing() {
		int[] positions = new int[this.leases.length];
		int count = 0;
		for (int i = 0; i < this.leases.length; i++) {
			if (this.leases[i] == null) {
				positions[count++] = i;
			}
		}
		return Arrays.copyOf(positions, count);
	}

	private AcquireResult local() {
		this.units.status().local.increment();
		return CombinedResult.of(this.request, true, false, keep());
	}

	private CompletableFuture<AcquireResult> acquire() {
		List<Charge> rest = new ArrayList<>(this.requested.length);
		for (int i : this.requested) {
			rest.add(plan(this.charges.get(i)));
		}
		return send(rest);
	}

	private CompletableFuture<AcquireResult> send(List<Charge> rest) {
		try {
			return this.units.acquire(this.request.with(rest)).handle(this::responded);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(failed(ex));
		}
	}

	private Charge plan(Charge charge) {
		if (!LeasedUnits.leased(charge)) {
			return charge;
		}
		PlannedLease plan = this.units.plan(charge, this.nowNanos);
		this.plans.add(plan);
		return plan.charge(charge.cost());
	}

	private AcquireResult responded(@Nullable AcquireResult result, @Nullable Throwable failure) {
		if (result == null) {
			throw failed(failure);
		}
		keepLeases(result);
		this.units.learn(result, this.nowNanos);
		if (!result.allowed()) {
			putBack();
		}
		AcquireResult rest = result.withoutLeases();
		if (this.requested.length == this.leases.length) {
			return rest;
		}
		List<AcquireResultPart> parts = (result.allowed()) ? keep() : uncharged();
		parts.add(new AcquireResultPart(rest, this.requested));
		return CombinedResult.of(this.request, result.allowed(), false, parts);
	}

	private void keepLeases(AcquireResult result) {
		int next = 0;
		for (int i = 0; i < this.requested.length; i++) {
			if (LeasedUnits.leased(this.charges.get(this.requested[i]))) {
				this.units.granted(this.plans.get(next++), result, i);
			}
		}
	}

	private StoreException failed(@Nullable Throwable failure) {
		this.plans.forEach(PlannedLease::failed);
		putBack();
		return StoreException.of(failure);
	}

	// Each lease has its own time, so each charge is a separate part.
	private List<AcquireResultPart> keep() {
		List<AcquireResultPart> parts = new ArrayList<>(this.leases.length + 1);
		for (int i = 0; i < this.leases.length; i++) {
			LeaseTerms terms = this.terms[i];
			Lease lease = this.leases[i];
			if (terms != null && lease != null) {
				Charge charge = this.charges.get(i);
				parts.add(part(i, AcquireResult.of(this.request.with(List.of(charge)), true, Source.LOCAL,
						terms.takenAtMillis(), List.of(terms.verdict(charge.cost(), this.left[i], this.nowNanos)))));
				this.units.spent(lease, charge, this.left[i], this.nowNanos);
			}
		}
		return parts;
	}

	private List<AcquireResultPart> uncharged() {
		List<AcquireResultPart> parts = new ArrayList<>(this.leases.length + 1);
		for (int i = 0; i < this.leases.length; i++) {
			if (this.leases[i] != null) {
				parts.add(part(i, skipped(this.charges.get(i))));
			}
		}
		return parts;
	}

	private AcquireResult rejected(int index, Verdict verdict) {
		List<AcquireResultPart> parts = new ArrayList<>(this.leases.length);
		for (int i = 0; i < this.leases.length; i++) {
			Charge charge = this.charges.get(i);
			parts.add(part(i, (i != index) ? skipped(charge)
					: AcquireResult.of(this.request.with(List.of(charge)), false, Source.LOCAL, 0, List.of(verdict))));
		}
		return (parts.size() == 1) ? parts.get(0).result() : CombinedResult.of(this.request, false, false, parts);
	}

	private AcquireResult skipped(Charge charge) {
		Verdict verdict = Verdict.unmeasured(charge.bucket().family().policy(), Outcome.SKIPPED, charge.cost(), 0);
		return AcquireResult.of(this.request.with(List.of(charge)), true, Source.LOCAL, 0, List.of(verdict));
	}

	private static AcquireResultPart part(int position, AcquireResult result) {
		return new AcquireResultPart(result, new int[] { position });
	}

	private void putBack() {
		for (int i = 0; i < this.leases.length; i++) {
			Lease lease = this.leases[i];
			LeaseTerms terms = this.terms[i];
			if (lease != null && terms != null) {
				this.units.putBack(lease, this.charges.get(i).cost(), terms.takenAtMillis());
			}
		}
	}

}
