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
 * One demand on its way to the store. Whoever comes first, answer or deadline, has the
 * word; an answer that comes after the deadline is given back.
 */
final class GuardedCall extends CompletableFuture<AcquireResult> implements DeadlineSweeper.Call {

	private static final AtomicIntegerFieldUpdater<GuardedCall> DECIDED = AtomicIntegerFieldUpdater
		.newUpdater(GuardedCall.class, "decided");

	private final GuardedLimitStore guard;

	private final Circuit circuit;

	private final AcquireRequest demand;

	private final long startNanos;

	private final long lateNanosBefore;

	/** When the store had been asked; 0 before. */
	private volatile long sentNanos;

	private volatile int decided;

	GuardedCall(GuardedLimitStore guard, Circuit circuit, AcquireRequest demand) {
		this.guard = guard;
		this.circuit = circuit;
		this.demand = demand;
		this.startNanos = guard.nowNanos();
		this.lateNanosBefore = guard.lateNanos();
	}

	@Override
	public long startNanos() {
		return this.startNanos;
	}

	/**
	 * The store has been asked: what it took to get there is not the store's.
	 */
	void sent() {
		this.sentNanos = this.guard.nowNanos();
	}

	/**
	 * By how much this instance itself was late while the call was under way: by its two
	 * clocks, and by how long the calling thread took to ask.
	 * @param nowNanos the time
	 * @return nanoseconds
	 */
	long lateNanos(long nowNanos) {
		long asking = ((this.sentNanos == 0) ? nowNanos : this.sentNanos) - this.startNanos;
		return Math.min(this.guard.lateNanos() - this.lateNanosBefore + asking, nowNanos - this.startNanos);
	}

	void answered(@Nullable AcquireResult answer, @Nullable Throwable failure) {
		long tookNanos = this.guard.nowNanos() - this.startNanos;
		if (!isFirst()) {
			if (answer != null) {
				this.guard.answeredLate(answer);
			}
		}
		else if (answer == null) {
			fail(StoreException.of(failure), tookNanos);
		}
		else {
			// Before the waiting side goes on, which may take its time.
			end(() -> {
				this.guard.answered(this.circuit, this.demand, answer, tookNanos);
				return answer;
			});
		}
	}

	@Override
	public boolean expired(long nowNanos) {
		if (nowNanos - this.demand.deadlineNanos() < this.guard.putOffNanos(lateNanos(nowNanos))) {
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
				this.guard.notAsked(this.circuit, this.demand);
				return this.guard.fallback(this.demand);
			});
		}
	}

	private void fail(StoreException failure, long tookNanos) {
		end(() -> {
			this.guard.failed(this.circuit, this.demand, failure, tookNanos, lateNanos(this.guard.nowNanos()));
			return this.guard.fallback(this.demand);
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
