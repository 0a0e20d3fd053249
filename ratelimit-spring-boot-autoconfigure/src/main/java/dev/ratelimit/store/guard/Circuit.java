package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;

/**
 * The state of one node, derived from its calls. A node that does not respond opens the
 * breaker, so that no request waits for it, until a probe closes it. A node that responds
 * with an error costs no time, so it is still called: some of the calls may be valid.
 * Thread-safe.
 */
final class Circuit {

	private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String node;

	private final CircuitBreaker breaker;

	private final ErrorWindow errors = new ErrorWindow();

	private final DebtBatch debts = new DebtBatch();

	private volatile boolean probeRejected;

	private volatile String lastFailure = "";

	private volatile StoreHealth health = StoreHealth.UP;

	/** The time since which calls have had no response; 0 if the last call had one. */
	private volatile long silentSinceNanos;

	private volatile long closedNanos;

	Circuit(String node) {
		this.node = node;
		this.breaker = BreakerSettings.breaker(node);
	}

	String node() {
		return this.node;
	}

	CircuitBreaker.State state() {
		return this.breaker.getState();
	}

	StoreHealth health() {
		return this.health;
	}

	String lastFailure() {
		return this.lastFailure;
	}

	DebtBatch debts() {
		return this.debts;
	}

	boolean tryAcquirePermission() {
		return this.breaker.tryAcquirePermission();
	}

	void called(long nowNanos) {
		if (this.silentSinceNanos == 0) {
			this.silentSinceNanos = nowNanos;
		}
	}

	/**
	 * Return the time for which calls have been sent without any response.
	 * @param nowNanos the time
	 * @return nanoseconds
	 */
	long silentNanos(long nowNanos) {
		long since = this.silentSinceNanos;
		return (since == 0) ? 0 : nowNanos - since;
	}

	/**
	 * Whether calls have been sent without any response for so long that the node itself
	 * must be late, even if this instance is late too.
	 * @param nowNanos the time
	 * @return whether the node is silent
	 */
	boolean isSilent(long nowNanos) {
		return silentNanos(nowNanos) >= SILENCE_NANOS;
	}

	/**
	 * Whether the breaker has been closed for some time, or never was open.
	 * @param nanos the time in nanoseconds
	 * @param nowNanos the time
	 * @return whether it has been closed for this time
	 */
	boolean closedFor(long nanos, long nowNanos) {
		long since = this.closedNanos;
		return since == 0 || nowNanos - since >= nanos;
	}

	// This instance was too late to judge whether the node is late.
	void starved(StoreException failure) {
		record(failure);
		this.breaker.releasePermission();
	}

	/** Release the permission of a call without counting a result. */
	void notCalled() {
		this.breaker.releasePermission();
	}

	// Returns whether the health may have changed: even a success may complete a window
	// of failures.
	boolean responded(long tookNanos) {
		this.silentSinceNanos = 0;
		this.breaker.onSuccess(tookNanos, TimeUnit.NANOSECONDS);
		boolean recovered = this.errors.recordSuccess();
		return recovered || this.breaker.getState() == CircuitBreaker.State.OPEN;
	}

	/**
	 * Record a response after the deadline of its call. The breaker does not count it,
	 * but the node is not silent.
	 */
	void respondedLate() {
		this.silentSinceNanos = 0;
	}

	// Returns whether the health may have changed.
	boolean failed(StoreException failure, long tookNanos) {
		record(failure);
		if (failure.kind().isPermanent() || failure.kind() == Kind.MIGRATING) {
			// An error is a response.
			this.silentSinceNanos = 0;
			this.breaker.releasePermission();
			return failure.kind().isPermanent() && this.errors.recordFailure();
		}
		this.breaker.onError(tookNanos, TimeUnit.NANOSECONDS, failure);
		return this.breaker.getState() == CircuitBreaker.State.OPEN;
	}

	// The probe counts as one call among the calls of requests, which may fail although
	// the probe succeeds.
	void probed(long nowNanos) {
		this.probeRejected = false;
		this.silentSinceNanos = 0;
		this.errors.recordSuccess();
		if (this.breaker.getState() != CircuitBreaker.State.CLOSED) {
			this.closedNanos = nowNanos;
			this.breaker.transitionToClosedState();
		}
	}

	void probeFailed(StoreException failure) {
		record(failure);
		this.probeRejected = failure.kind().isPermanent();
		if (this.breaker.getState() != CircuitBreaker.State.OPEN) {
			this.breaker.transitionToOpenState();
		}
	}

	/**
	 * Update the health from the recorded calls and probes.
	 * @return the previous health
	 */
	synchronized StoreHealth update() {
		StoreHealth before = this.health;
		if (this.probeRejected || this.errors.isMajority()) {
			this.health = StoreHealth.DOWN;
		}
		else {
			this.health = (this.breaker.getState() == CircuitBreaker.State.CLOSED) ? StoreHealth.UP
					: StoreHealth.DEGRADED;
		}
		return before;
	}

	private void record(StoreException failure) {
		this.lastFailure = failure.kind().name().toLowerCase(Locale.ROOT) + ": " + failure.getMessage();
	}

	/**
	 * Determines whether most of the latest calls returned an error. Before the first
	 * error, it stores nothing and takes no lock. Thread-safe.
	 */
	private static final class ErrorWindow {

		/** The size of the breaker's window. */
		private static final int WINDOW = BreakerSettings.WINDOW;

		private static final int MIN_CALLS = BreakerSettings.MIN_CALLS;

		/**
		 * A bit for each of the latest calls, set if the call returned an error; the
		 * lowest bit is the latest call.
		 */
		private volatile int bits;

		/** The number of calls since the first one with an error. */
		private int calls;

		// Returns whether most calls, including this one, returned an error.
		synchronized boolean recordFailure() {
			add(1);
			return isMajority();
		}

		// Returns whether most calls before this one returned an error.
		boolean recordSuccess() {
			return this.bits != 0 && addSuccess();
		}

		private synchronized boolean addSuccess() {
			boolean before = isMajority();
			add(0);
			return before;
		}

		synchronized boolean isMajority() {
			return this.calls >= MIN_CALLS && Integer.bitCount(this.bits) * 2 > Math.min(WINDOW, this.calls);
		}

		private void add(int bit) {
			this.bits = ((this.bits << 1) | bit) & ((1 << WINDOW) - 1);
			this.calls = (this.bits == 0) ? 0 : this.calls + 1;
		}

	}

	/**
	 * The settings of the breaker of a node, which opens if half of the last calls
	 * failed, and closes only after a successful probe.
	 */
	private static final class BreakerSettings {

		static final int WINDOW = 20;

		static final int MIN_CALLS = 10;

		private static final int FAILURE_PERCENT = 50;

		/** The breaker never becomes half-open on its own, because a probe closes it. */
		private static final Duration UNTIL_PROBED = Duration.ofDays(3650);

		private static final CircuitBreakerConfig CONFIG = CircuitBreakerConfig.custom()
			.slidingWindow(WINDOW, MIN_CALLS, SlidingWindowType.COUNT_BASED,
					SlidingWindowSynchronizationStrategy.LOCK_FREE)
			.failureRateThreshold(FAILURE_PERCENT)
			.waitDurationInOpenState(UNTIL_PROBED)
			.writableStackTraceEnabled(false)
			.build();

		private BreakerSettings() {
		}

		static CircuitBreaker breaker(String name) {
			return CircuitBreaker.of(name, CONFIG);
		}

	}

}
