package dev.ratelimit.store.guard;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;

/**
 * What all calls of the guard have in common: the clocks that tell how late they are, the
 * places that they take, and what follows from their ends. Thread-safe.
 */
final class CallOutcomes {

	private final InFlight inFlight;

	private final Fallback fallback;

	private final NodeHealth health;

	private final Corrections corrections;

	private final DeadlineSweeper sweeper;

	private final Time time;

	private final long maxPutOffNanos;

	CallOutcomes(InFlight inFlight, Fallback fallback, NodeHealth health, Corrections corrections, Time time,
			GuardSettings settings) {
		this.inFlight = inFlight;
		this.fallback = fallback;
		this.health = health;
		this.corrections = corrections;
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

	void notAsked(Circuit circuit, AcquireRequest request) {
		this.inFlight.leave(request);
		circuit.notAsked();
	}

	// No request is waiting for it, but what it says of exhausted buckets is true.
	void respondedLate(AcquireResult late) {
		if (!late.admitted()) {
			this.fallback.note(late);
		}
		else if (late.changed()) {
			this.corrections.release(late);
		}
	}

	void responded(Circuit circuit, AcquireRequest request, AcquireResult result, long tookNanos) {
		this.inFlight.leave(request);
		this.fallback.note(result);
		this.health.responded(circuit, tookNanos);
	}

	void failed(Circuit circuit, AcquireRequest request, StoreException failure, long tookNanos, long lateNanos) {
		this.inFlight.leave(request);
		this.health.failed(circuit, failure, tookNanos, lateNanos);
	}

}
