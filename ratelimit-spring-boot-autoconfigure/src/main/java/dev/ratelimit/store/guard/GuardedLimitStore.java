package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Internal: the stage before a store that may be slow or unavailable. No call lasts
 * longer than its deadline, the number of concurrent calls is limited, an open breaker
 * prevents calls, and if the store does not respond, the failure policies of the rules
 * apply. All buckets of a request are on one node, and each node has its own breaker. If
 * this instance is late during a call, the deadline of the call is extended by that time,
 * up to a maximum. A call that is late nevertheless does not count against the store.
 * Thread-safe.
 */
public final class GuardedLimitStore implements StoreStage, AutoCloseable {

	private final StoreStage store;

	private final Time time;

	private final long deadlineNanos;

	private final long maxPutOffNanos;

	private final StoreCallPermits inFlight;

	private final NodeHealth health;

	private final Debts debts;

	private final Corrections corrections;

	private final CallOutcomes outcomes;

	/**
	 * Guard a store.
	 * @param store the store, which processes requests for one node
	 * @param nodes its nodes
	 * @param local the store that counts on this instance only while the store does not
	 * respond; it never blocks
	 * @param instances supplies the number of instances that share the limits
	 * @param settings the settings of the guard
	 * @param events receives changes of the state of a node
	 * @param time the time
	 * @param upkeep runs the periodic probes of nodes
	 */
	public GuardedLimitStore(StoreStage store, StoreNodes nodes, StoreStage local, IntSupplier instances,
			GuardSettings settings, Consumer<StoreStateEvent> events, Time time, Upkeep upkeep) {
		this.store = store;
		this.time = time;
		this.deadlineNanos = settings.timeout().toNanos();
		this.maxPutOffNanos = settings.maxPutOffNanos();
		this.inFlight = new StoreCallPermits(settings.maxInFlight());
		Fallback fallback = new Fallback(local, instances, settings.probeInterval().toMillis(), time);
		this.health = new NodeHealth(store.name(), nodes, this.inFlight::count, settings, events, time, upkeep);
		this.debts = new Debts(store, this.health, settings, time, upkeep);
		this.corrections = new Corrections(store, fallback, this.debts, this.health.status());
		this.outcomes = new CallOutcomes(this.inFlight, fallback, this.health, this.corrections, this.debts, time,
				settings);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	// Returns whether the circuit of a request's node is closed.
	boolean responds(AcquireRequest request) {
		return this.health.circuit(request).state() == CircuitBreaker.State.CLOSED;
	}

	/**
	 * Return the status of the store.
	 * @return the status
	 */
	public StoreStatus status() {
		return this.health.status();
	}

	/**
	 * Probe the store for the first time, and probe it periodically whenever it fails.
	 * @param timeout the maximum time to wait for the first probe
	 * @return the failure of the first probe; empty if it succeeded
	 */
	public Optional<StoreException> start(Duration timeout) {
		return this.health.start(timeout);
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		Circuit circuit = this.health.circuit(request);
		long nowNanos = this.time.nanos();
		long overdueNanos = nowNanos - request.deadlineNanos();
		if (overdueNanos >= this.maxPutOffNanos || !circuit.tryAcquirePermission()) {
			return CompletableFuture.completedFuture(this.outcomes.fallbackUnsent(request));
		}
		if (!this.inFlight.enter(request)) {
			this.health.overloaded(circuit);
			return CompletableFuture.completedFuture(this.outcomes.fallbackUnsent(request));
		}
		circuit.called(nowNanos);
		AcquireRequest timely = (overdueNanos >= 0) ? putOff(request, nowNanos) : request;
		return send(new GuardedCall(this.outcomes, circuit, timely), timely);
	}

	// The deadline has passed already before the call, because the thread was late.
	private AcquireRequest putOff(AcquireRequest request, long nowNanos) {
		long latestNanos = request.deadlineNanos() + this.maxPutOffNanos;
		return request
			.until((latestNanos - nowNanos < this.deadlineNanos) ? latestNanos : nowNanos + this.deadlineNanos);
	}

	// The store may respond until the deadline with its maximum extension.
	private GuardedCall send(GuardedCall call, AcquireRequest request) {
		try {
			CompletableFuture<AcquireResult> result = this.store
				.acquire(request.until(request.deadlineNanos() + this.maxPutOffNanos));
			call.sent();
			result.whenComplete(call::responded);
		}
		catch (RuntimeException | Error ex) {
			call.responded(null, ex);
		}
		if (!call.isDone()) {
			this.outcomes.watch(call);
		}
		return call;
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		return this.corrections.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.corrections.settle(settlements);
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn lease) {
		return this.corrections.returnLease(lease);
	}

	// Slots that an instance cannot renew expire, and other instances may take them.
	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.corrections.renew(held, this.health.circuit(held.keySet().iterator().next()));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.corrections.reset(buckets);
	}

	@Override
	public void close() {
		this.debts.close();
		this.health.close();
	}

	/**
	 * The call of the store for one request. The result or the deadline completes it,
	 * whichever is first. If the result arrives after the deadline, its charges are
	 * refunded.
	 */
	private static final class GuardedCall extends CompletableFuture<AcquireResult> implements DeadlineSweeper.Call {

		private static final AtomicIntegerFieldUpdater<GuardedCall> DECIDED = AtomicIntegerFieldUpdater
			.newUpdater(GuardedCall.class, "decided");

		private final CallOutcomes outcomes;

		private final Circuit circuit;

		private final AcquireRequest request;

		private final long startNanos;

		private final long lateNanosBefore;

		/** The time at which the store had been called; 0 before. */
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
		 * Record that the store was called. The time before does not count as time of the
		 * store.
		 */
		void sent() {
			this.sentNanos = this.outcomes.nowNanos();
		}

		/**
		 * Return the time by which this instance was late during the call: the lateness
		 * that the sweeper has measured, and the time that the calling thread took to
		 * send the call.
		 * @param nowNanos the time
		 * @return nanoseconds
		 */
		long lateNanos(long nowNanos) {
			long sendingNanos = ((this.sentNanos == 0) ? nowNanos : this.sentNanos) - this.startNanos;
			return Math.min(this.outcomes.lateNanos() - this.lateNanosBefore + sendingNanos,
					nowNanos - this.startNanos);
		}

		void responded(@Nullable AcquireResult result, @Nullable Throwable failure) {
			long tookNanos = this.outcomes.nowNanos() - this.startNanos;
			if (!isFirst()) {
				if (result != null) {
					this.circuit.respondedLate();
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
				// Record the response before the code that waits for it continues, which
				// may take long.
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
				// The code that waits for this call must not delay other deadlines.
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
					this.outcomes.notCalled(this.circuit, this.request);
					return this.outcomes.fallback(this.request);
				});
			}
		}

		private void fail(StoreException failure, long tookNanos) {
			end(() -> {
				this.outcomes.failed(this.circuit, this.request, failure, tookNanos,
						lateNanos(this.outcomes.nowNanos()));
				return this.outcomes.fallbackAfter(failure, this.request);
			});
		}

		// Only this method can end the call now, so the call must end even after an
		// exception.
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

}
