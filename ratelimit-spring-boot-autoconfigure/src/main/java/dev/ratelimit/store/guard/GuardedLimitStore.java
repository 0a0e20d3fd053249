package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreCheck;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Stands before a store that may be slow or away: no call lasts longer than its deadline,
 * an open breaker asks nobody, and what the store does not answer, the rules' failure
 * policies do. Thread-safe.
 *
 * @since 0.1.0
 */
public final class GuardedLimitStore implements LimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(GuardedLimitStore.class);

	private final LimitStore store;

	private final CircuitBreaker breaker;

	private final StoreStatus status;

	private final DeadlineSweeper sweeper = new DeadlineSweeper();

	private final StoreProbe probe;

	private final Duration probeInterval;

	private final Consumer<StoreStateEvent> events;

	/**
	 * Guard a store.
	 * @param store the store
	 * @param check how to find out whether it works
	 * @param probeInterval how often that is tried while it does not
	 * @param events is told when the store's state flips
	 */
	public GuardedLimitStore(LimitStore store, StoreCheck check, Duration probeInterval,
			Consumer<StoreStateEvent> events) {
		this.store = store;
		this.breaker = BreakerSettings.breaker(store.name());
		this.status = new StoreStatus(store.name(), this.breaker);
		this.probeInterval = probeInterval;
		this.events = events;
		this.probe = new StoreProbe(check, this::probed);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * How the store is doing.
	 * @return its status
	 */
	public StoreStatus status() {
		return this.status;
	}

	/**
	 * Try the store for the first time, and go on trying whenever it does not work.
	 * @param patience how long to wait for the first try
	 * @return what the first try failed with, if it did
	 */
	public Optional<StoreException> start(Duration patience) {
		return this.probe.start(patience, this.probeInterval, () -> this.status.health() != StoreStatus.Health.UP);
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		boolean late = System.nanoTime() - demand.deadlineNanos() >= 0;
		if (late || !this.breaker.tryAcquirePermission()) {
			return CompletableFuture.completedFuture(fallback(demand));
		}
		GuardedCall call = new GuardedCall(demand);
		try {
			this.store.acquire(demand).whenComplete(call::answered);
		}
		catch (RuntimeException ex) {
			call.answered(null, ex);
		}
		if (!call.isDone()) {
			this.sweeper.watch(call);
		}
		return call;
	}

	// An outage loses corrections: the charges stand. Mostly nobody looks at the result.
	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.store.settle(settlements).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("A charge was not corrected", failure);
				this.status.failed(storeException(failure));
			}
		});
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.store.reset(buckets);
	}

	@Override
	public void close() {
		this.probe.close();
		this.sweeper.close();
	}

	private Answer fallback(Demand demand) {
		List<Verdict> verdicts = new ArrayList<>(demand.charges().size());
		boolean admitted = true;
		for (Charge charge : demand.charges()) {
			boolean closed = charge.failure() == FailurePolicy.CLOSED && !charge.shadow();
			admitted &= !closed;
			verdicts.add(Verdict.unmeasured(charge.bucket().family().policy(),
					(closed) ? Outcome.FAILED_CLOSED : Outcome.FAILED_OPEN, charge.cost(),
					(closed) ? this.probeInterval.toMillis() : 0));
		}
		return new Answer(admitted, false, Source.FALLBACK, 0, verdicts);
	}

	private void failed(StoreException failure, long tookNanos) {
		this.status.failed(failure);
		this.breaker.onError(tookNanos, TimeUnit.NANOSECONDS, failure);
		if (this.breaker.getState() == CircuitBreaker.State.OPEN) {
			closeOff(failure, false);
		}
	}

	private void probed(@Nullable StoreException failure) {
		if (failure == null) {
			reopen();
			return;
		}
		this.status.failed(failure);
		if (this.breaker.getState() != CircuitBreaker.State.OPEN) {
			this.breaker.transitionToOpenState();
		}
		closeOff(failure, failure.kind().wrong());
	}

	private synchronized void closeOff(StoreException failure, boolean probeWasRefused) {
		boolean flip = this.status.health() == StoreStatus.Health.UP;
		this.status.closedOff(probeWasRefused);
		if (flip) {
			String cause = this.status.lastFailure();
			String message = "The store '" + name() + "' does not work (" + cause
					+ "); each rule goes by its failure policy until a probe finds it working";
			if (failure.kind().wrong()) {
				logger.error(message);
			}
			else {
				logger.warn(message);
			}
			publish(new StoreStateEvent(name(), false, cause));
		}
	}

	private synchronized void reopen() {
		boolean flip = this.status.health() != StoreStatus.Health.UP;
		this.status.recovered();
		if (flip) {
			this.breaker.transitionToClosedState();
			logger.info("The store '" + name() + "' works again");
			publish(new StoreStateEvent(name(), true, "a probe succeeded"));
		}
	}

	private static StoreException storeException(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return (cause instanceof StoreException known) ? known
				: new StoreException(Kind.OTHER, String.valueOf(cause), cause);
	}

	// What a listener throws, or how long it takes, is its own trouble: callers go on.
	private void publish(StoreStateEvent event) {
		this.probe.execute(() -> {
			try {
				this.events.accept(event);
			}
			catch (RuntimeException ex) {
				logger.error("A listener failed at " + event, ex);
			}
		});
	}

	/**
	 * One demand on its way to the store. Whoever comes first, answer or deadline, has
	 * the word.
	 */
	private final class GuardedCall extends CompletableFuture<Answer> implements DeadlineSweeper.Call {

		private final Demand demand;

		private final long startNanos = System.nanoTime();

		GuardedCall(Demand demand) {
			this.demand = demand;
		}

		private void answered(@Nullable Answer answer, @Nullable Throwable failure) {
			long tookNanos = System.nanoTime() - this.startNanos;
			if (answer == null) {
				fail(storeException(failure), tookNanos);
			}
			else if (!isDone()) {
				// Before the waiting side goes on, which may take its time.
				GuardedLimitStore.this.breaker.onSuccess(tookNanos, TimeUnit.NANOSECONDS);
				complete(answer);
			}
		}

		@Override
		public boolean expired(long nowNanos) {
			if (nowNanos - this.demand.deadlineNanos() < 0) {
				return false;
			}
			// What follows is the waiting side's code: it must not hold up other
			// deadlines.
			StoreException late = new StoreException(Kind.TIMEOUT, "no answer within the deadline", null);
			try {
				Schedulers.parallel().schedule(() -> fail(late, nowNanos - this.startNanos));
			}
			catch (RejectedExecutionException ex) {
				fail(late, nowNanos - this.startNanos);
			}
			return true;
		}

		@Override
		public void abandon() {
			if (!isDone()) {
				complete(fallback(this.demand));
			}
		}

		private void fail(StoreException failure, long tookNanos) {
			if (!isDone()) {
				failed(failure, tookNanos);
				complete(fallback(this.demand));
			}
		}

	}

}
