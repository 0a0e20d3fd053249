package dev.ratelimit.store.denial;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the first stage before a remote store. If the store has rejected a cost of a
 * strict bucket, or has allowed a cost that left no units, this stage rejects further
 * charges until the store would allow them, for a bounded time. Then one request calls
 * the store. A request with such a charge is rejected as a whole, and nothing is charged.
 * This stage never rejects charges that cost nothing, do not enforce their limit, hold
 * slots, are leased, or may be waived for a retry. Thread-safe.
 */
public final class DenialRememberingLimitStore implements LocalLimitStore {

	private static final @Nullable Denial[] NONE = {};

	private final StoreStage store;

	private final DenialMemory memory;

	/**
	 * Create a stage before a store.
	 * @param store the store
	 * @param longest the maximum time for which a denial applies, at least 1 ms
	 * @param time the time
	 */
	public DenialRememberingLimitStore(StoreStage store, Duration longest, Time time) {
		this.store = store;
		this.memory = new DenialMemory(longest, time);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		@Nullable Denial[] denials = denials(request);
		if (denials == null) {
			return this.store.acquire(request);
		}
		long nowNanos = this.memory.nowNanos();
		@Nullable Denial[] rejecting = rejecting(denials, nowNanos);
		if (rejecting == NONE) {
			rejecting = beginCall(denials, request, nowNanos);
		}
		return (rejecting != NONE) ? CompletableFuture.completedFuture(rejection(request, rejecting, nowNanos))
				: send(request, denials, nowNanos);
	}

	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		return (this.store instanceof LocalLimitStore local && !Denial.mayReject(family, terms.consistency()))
				? local.chargeLocally(family, subject, cost, terms, reservation) : null;
	}

	// Returns the denial of each charge; an empty array if there are no denials, null if
	// no charge can have one.
	private @Nullable Denial @Nullable [] denials(AcquireRequest request) {
		List<Charge> charges = request.charges();
		@Nullable Denial[] denials = null;
		boolean any = false;
		for (int i = 0; i < charges.size(); i++) {
			if (Denial.mayReject(charges.get(i), request)) {
				any = true;
				Denial denial = this.memory.find(charges.get(i));
				if (denial != null) {
					denials = (denials != null) ? denials : new Denial[charges.size()];
					denials[i] = denial;
				}
			}
		}
		return (denials != null || !any) ? denials : NONE;
	}

	// Returns the denials that reject now. Each is checked only once, because it may
	// change meanwhile.
	private static @Nullable Denial[] rejecting(@Nullable Denial[] denials, long nowNanos) {
		@Nullable Denial[] rejecting = NONE;
		for (int i = 0; i < denials.length; i++) {
			Denial denial = denials[i];
			if (denial != null && denial.rejects(nowNanos)) {
				rejecting = (rejecting != NONE) ? rejecting : new Denial[denials.length];
				rejecting[i] = denial;
			}
		}
		return rejecting;
	}

	// Try to make this request the one that calls the store for all denials. Otherwise,
	// return the denial for which another request calls the store.
	private static @Nullable Denial[] beginCall(@Nullable Denial[] denials, AcquireRequest request, long nowNanos) {
		for (int i = 0; i < denials.length; i++) {
			Denial denial = denials[i];
			if (denial != null && !denial.beginCall(nowNanos, request.deadlineNanos())) {
				endCall(denials, i);
				@Nullable Denial[] called = new Denial[denials.length];
				called[i] = denial;
				return called;
			}
		}
		return NONE;
	}

	private static void endCall(@Nullable Denial[] denials, int count) {
		for (int i = 0; i < count; i++) {
			Denial denial = denials[i];
			if (denial != null) {
				denial.endCall();
			}
		}
	}

	// While the store does not respond, one request at a time continues to call it.
	private void endCall(AcquireRequest request, @Nullable Denial[] denials) {
		for (int i = 0; i < denials.length; i++) {
			Denial denial = denials[i];
			if (denial != null) {
				this.memory.keep(request.charges().get(i).bucket(), denial);
				denial.endCall();
			}
		}
	}

	private static AcquireResult rejection(AcquireRequest request, @Nullable Denial[] rejecting, long nowNanos) {
		Verdict[] verdicts = new Verdict[request.charges().size()];
		for (int i = 0; i < verdicts.length; i++) {
			Charge charge = request.charges().get(i);
			Denial denial = rejecting[i];
			verdicts[i] = (denial != null) ? denial.verdict(charge, nowNanos)
					: Verdict.unmeasured(charge.bucket().family().policy(), Outcome.SKIPPED, charge.cost(), 0);
		}
		return AcquireResult.of(request, false, Source.LOCAL, 0, List.of(verdicts));
	}

	private CompletableFuture<AcquireResult> send(AcquireRequest request, @Nullable Denial[] denials, long sentNanos) {
		int[] marks = this.memory.marks(request);
		try {
			return this.store.acquire(request)
				.whenComplete((result, failure) -> responded(request, result, denials, marks, sentNanos));
		}
		catch (RuntimeException ex) {
			endCall(request, denials);
			throw ex;
		}
	}

	private void responded(AcquireRequest request, @Nullable AcquireResult result, @Nullable Denial[] denials,
			int[] marks, long sentNanos) {
		if (result == null) {
			endCall(request, denials);
			return;
		}
		for (int i = 0; i < marks.length; i++) {
			Denial called = (denials.length == 0) ? null : denials[i];
			// The other charges do not matter: in a flood, a bucket that many clients
			// share is forgotten all the time.
			if (this.memory.isChanged(request, i, marks[i])) {
				Optional.ofNullable(called).ifPresent(Denial::endCall);
				continue;
			}
			boolean exhausted = Denial.mayReject(request.charges().get(i), request)
					&& this.memory.record(result, i, sentNanos);
			if (called != null && !exhausted) {
				replace(request.charges().get(i).bucket(), called, result.charge(i).source());
			}
		}
		forgetRefunded(request, result);
	}

	// Before one part of a request was rejected, the charges of its other parts may have
	// caused the store to reject other requests. Parts that were not called are skipped.
	private void forgetRefunded(AcquireRequest request, AcquireResult result) {
		if (result.allowed() || !(result instanceof CombinedResult combined) || combined.parts().size() == 1) {
			return;
		}
		for (int i = 0; i < request.charges().size(); i++) {
			Outcome outcome = result.verdicts().get(i).outcome();
			if (outcome != Outcome.REJECTED && outcome != Outcome.SKIPPED) {
				this.memory.forget(request.charges().get(i).bucket());
			}
		}
	}

	// The bucket has units again. A fallback does not show that, so its result keeps the
	// denial.
	private void replace(Bucket bucket, Denial called, Source source) {
		if (source == Source.REMOTE) {
			this.memory.remove(bucket, called);
		}
		else {
			this.memory.keep(bucket, called);
		}
		called.endCall();
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return forgetting(result.refunds(), () -> this.store.release(result));
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return forgetting(settlements, () -> this.store.settle(settlements));
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.store.returnLease(unspent);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.store.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.memory::forget);
		return this.store.reset(buckets).whenComplete((done, failure) -> buckets.forEach(this.memory::forget));
	}

	// Forget before and after the correction, because results in between may not include
	// it.
	private CompletableFuture<Void> forgetting(List<Settlement> settlements,
			Supplier<CompletableFuture<Void>> correction) {
		forget(settlements);
		return correction.get().whenComplete((done, failure) -> forget(settlements));
	}

	// A refund adds units, and a debt extends the wait beyond that of the denial.
	private void forget(List<Settlement> settlements) {
		settlements.forEach((settlement) -> this.memory.forget(settlement.bucket()));
	}

}
