package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreException;
import org.awaitility.Awaitility;

/**
 * Calls a store continuously from several threads and records the results. Each thread
 * waits for its result before the next call.
 */
final class ChargingLoad implements AutoCloseable {

	static final int THREADS = 8;

	private static final int TIMEOUT_SECONDS = 20;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final LimitStore store;

	private final Supplier<AcquireRequest> demands;

	private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

	private final AtomicInteger allowed = new AtomicInteger();

	private final AtomicInteger denied = new AtomicInteger();

	private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

	private final List<CompletableFuture<Void>> threads;

	private volatile boolean stopped;

	private ChargingLoad(LimitStore store, Supplier<AcquireRequest> demands) {
		this.store = store;
		this.demands = demands;
		this.threads = IntStream.range(0, THREADS)
			.mapToObj((number) -> CompletableFuture.runAsync(this::tryAcquire, this.executor))
			.toList();
	}

	/**
	 * Start the calls and return after the first 100 results.
	 */
	static ChargingLoad start(LimitStore store, Supplier<AcquireRequest> demands) {
		ChargingLoad load = new ChargingLoad(store, demands);
		load.awaitMore();
		return load;
	}

	private void tryAcquire() {
		while (!this.stopped) {
			long begunNanos = System.nanoTime();
			try {
				record(this.store.acquire(this.demands.get()).get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
			}
			catch (ExecutionException ex) {
				this.failures.add(new Failure(begunNanos, (StoreException) ex.getCause()));
				// The pause is as long as a call. Otherwise, calls that fail immediately
				// would use all processors.
				LockSupport.parkNanos(PAUSE_NANOS);
			}
			catch (InterruptedException | TimeoutException ex) {
				throw new IllegalStateException("no answer", ex);
			}
		}
	}

	private void record(AcquireResult answer) {
		((answer.allowed()) ? this.allowed : this.denied).incrementAndGet();
	}

	/**
	 * Wait for a hundred more results that are not failures.
	 */
	void awaitMore() {
		int enough = answers() + 100;
		Awaitility.await().until(() -> answers() >= enough);
	}

	/**
	 * Wait for ten more failures.
	 */
	void awaitFailures() {
		int enough = this.failures.size() + 10;
		Awaitility.await().until(() -> this.failures.size() >= enough);
	}

	private int answers() {
		return this.allowed.get() + this.denied.get();
	}

	int allowed() {
		return this.allowed.get();
	}

	int denied() {
		return this.denied.get();
	}

	/**
	 * Return the failures of calls.
	 */
	List<StoreException> failures() {
		return this.failures.stream().map(Failure::cause).toList();
	}

	/**
	 * Return the failures of calls that began after a time.
	 */
	List<StoreException> failuresSince(long nanos) {
		return this.failures.stream()
			.filter((failure) -> failure.begunNanos() - nanos > 0)
			.map(Failure::cause)
			.toList();
	}

	/**
	 * Stop calling, and wait for pending calls.
	 */
	void stop() {
		this.stopped = true;
		this.threads.forEach(CompletableFuture::join);
	}

	@Override
	public void close() {
		this.stopped = true;
		this.executor.shutdownNow();
	}

	private record Failure(long begunNanos, StoreException cause) {
	}

}
