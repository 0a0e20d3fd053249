package dev.ratelimit.store.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * One request on its way to the store. The first of result and deadline completes it;
 * what a result charged that comes after the deadline is refunded.
 */
final class GuardedCall extends CompletableFuture<AcquireResult> implements DeadlineSweeper.Call {

	private static final AtomicIntegerFieldUpdater<GuardedCall> DECIDED = AtomicIntegerFieldUpdater
		.newUpdater(GuardedCall.class, "decided");

	private final CallOutcomes outcomes;

	private final Circuit circuit;

	private final AcquireRequest request;

	private final long startNanos;

	private final long lateNanosBefore;

	/** When the store had been called; 0 before. */
	private volatile long sentNanos;

	private volatile int decided;

	GuardedCall(CallOutcomes outcomes, Circuit circuit, AcquireRequest request) {
		this.outcomes = outcomes;
		this.circuit = circuit;
		this.request = request;
		this.startNanos = outcomes.nowNanos();
		this.lateNanosBefore = outcomes.lateNanos();
	}

	@Override
	public long startNanos() {
		return this.startNanos;
	}

	/**
	 * The store was called: what it took to get there is not the store's.
	 */
	void sent() {
		this.sentNanos = this.outcomes.nowNanos();
	}

	/**
	 * By how much this instance itself was late while the call was under way: by its two
	 * clocks, and by how long the calling thread took to ask.
	 * @param nowNanos the time
	 * @return nanoseconds
	 */
	long lateNanos(long nowNanos) {
		long asking = ((this.sentNanos == 0) ? nowNanos : this.sentNanos) - this.startNanos;
		return Math.min(this.outcomes.lateNanos() - this.lateNanosBefore + asking, nowNanos - this.startNanos);
	}

	void responded(@Nullable AcquireResult result, @Nullable Throwable failure) {
		long tookNanos = this.outcomes.nowNanos() - this.startNanos;
		if (!isFirst()) {
			if (result != null) {
				this.outcomes.respondedLate(result, this);
			}
			else {
				this.outcomes.failedLate(StoreException.of(failure), this);
			}
		}
		else if (result == null) {
			fail(StoreException.of(failure), tookNanos);
		}
		else {
			// Before the waiting side goes on, which may take its time.
			end(() -> {
				this.outcomes.responded(this.circuit, this.request, result, tookNanos);
				return result;
			});
		}
	}

	@Override
	public boolean expired(long nowNanos) {
		if (nowNanos - this.request.deadlineNanos() < this.outcomes.putOffNanos(lateNanos(nowNanos))) {
			return false;
		}
		if (isFirst()) {
			StoreException late = new StoreException(Kind.TIMEOUT, "no response within the deadline", null);
			// What follows is the waiting side's code: it must not hold up other
			// deadlines.
			try {
				Schedulers.parallel().schedule(() -> fail(late, nowNanos - this.startNanos));
			}
			catch (RejectedExecutionException ex) {
				fail(late, nowNanos - this.startNanos);
			}
		}
		return true;
	}

	@Override
	public void abandon() {
		if (isFirst()) {
			end(() -> {
				this.outcomes.notAsked(this.circuit, this.request);
				return this.outcomes.fallback(this.request);
			});
		}
	}

	private void fail(StoreException failure, long tookNanos) {
		end(() -> {
			this.outcomes.failed(this.circuit, this.request, failure, tookNanos, lateNanos(this.outcomes.nowNanos()));
			return this.outcomes.fallbackAfter(failure, this.request);
		});
	}

	// Nobody else ends this call any more: whatever happens, nobody is to wait for ever.
	private void end(Supplier<AcquireResult> how) {
		try {
			complete(how.get());
		}
		catch (RuntimeException | Error ex) {
			completeExceptionally(ex);
		}
	}

	private boolean isFirst() {
		return DECIDED.compareAndSet(this, 0, 1);
	}

}
