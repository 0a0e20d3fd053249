package dev.ratelimit.store.guard;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;

/**
 * The state that all calls of the guard share: the clocks that measure lateness, the
 * permits that calls take, and the consequences of the ends of calls. Thread-safe.
 */
final class CallOutcomes {

	private final StoreCallPermits inFlight;

	private final Fallback fallback;

	private final NodeHealth health;

	private final Corrections corrections;

	private final Debts debts;

	private final DeadlineSweeper sweeper;

	private final Time time;

	private final long maxPutOffNanos;

	CallOutcomes(StoreCallPermits inFlight, Fallback fallback, NodeHealth health, Corrections corrections, Debts debts,
			Time time, GuardSettings settings) {
		this.inFlight = inFlight;
		this.fallback = fallback;
		this.health = health;
		this.corrections = corrections;
		this.debts = debts;
		this.sweeper = health.sweeper();
		this.time = time;
		this.maxPutOffNanos = settings.maxPutOffNanos();
	}

	long nowNanos() {
		return this.time.nanos();
	}

	long lateNanos() {
		return this.sweeper.lateNanos();
	}

	long putOffNanos(long lateNanos) {
		return Math.min(lateNanos, this.maxPutOffNanos);
	}

	void watch(DeadlineSweeper.Call call) {
		this.sweeper.watch(call);
	}

	AcquireResult fallback(AcquireRequest request) {
		return this.fallback.result(request);
	}

	// The store has certainly not charged the request, so its charges are owed.
	AcquireResult fallbackUnsent(AcquireRequest request) {
		AcquireResult here = this.fallback.result(request);
		this.debts.owe(here);
		return here;
	}

	AcquireResult fallbackAfter(StoreException failure, AcquireRequest request) {
		return (failure.isUncharged()) ? fallbackUnsent(request) : fallback(request);
	}

	void notCalled(Circuit circuit, AcquireRequest request) {
		this.inFlight.leave(request);
		circuit.notCalled();
	}

	// No request waits for a late result, but its exhausted buckets are remembered. The
	// charges of the fallback are owed once it is certain that the store has not charged
	// the request or has refunded it.
	void respondedLate(AcquireResult late, CompletableFuture<AcquireResult> here) {
		if (!late.allowed()) {
			this.fallback.record(late);
			here.thenAccept(this.debts::owe);
		}
		else if (late.changed()) {
			this.corrections.releaseLate(late).thenRun(() -> here.thenAccept(this.debts::owe));
		}
	}

	void failedLate(StoreException failure, CompletableFuture<AcquireResult> here) {
		if (failure.isUncharged()) {
			here.thenAccept(this.debts::owe);
		}
	}

	void responded(Circuit circuit, AcquireRequest request, AcquireResult result, long tookNanos) {
		this.inFlight.leave(request);
		this.fallback.record(result);
		this.health.responded(circuit, tookNanos);
	}

	void failed(Circuit circuit, AcquireRequest request, StoreException failure, long tookNanos, long lateNanos) {
		this.inFlight.leave(request);
		this.health.failed(circuit, failure, tookNanos, lateNanos);
	}

}
