package dev.ratelimit.store.guard;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/**
 * How the store behind the guard is doing. Thread-safe.
 *
 * @since 0.1.0
 */
public final class StoreStatus {

	/** As many as the breaker's window holds. */
	private static final int REMEMBERED = BreakerSettings.WINDOW;

	private final String store;

	private final CircuitBreaker breaker;

	private final LongAdder[] errors = new LongAdder[Kind.values().length];

	/** A bit for each of the latest failures, set where it was wrong; newest lowest. */
	private int wrongs;

	/** How many of the latest failures are remembered. */
	private int failures;

	private volatile String lastFailure = "";

	private volatile Health health = Health.UP;

	StoreStatus(String store, CircuitBreaker breaker) {
		this.store = store;
		this.breaker = breaker;
		for (Kind kind : Kind.values()) {
			this.errors[kind.ordinal()] = new LongAdder();
		}
	}

	/**
	 * The store's name.
	 * @return the name
	 */
	public String store() {
		return this.store;
	}

	/**
	 * How the store is doing.
	 * @return its health
	 */
	public Health health() {
		return this.health;
	}

	/**
	 * The breaker's state.
	 * @return closed while demands reach the store, open while they do not
	 */
	public CircuitBreaker.State circuit() {
		return this.breaker.getState();
	}

	/**
	 * How often the store gave no answer.
	 * @param kind the kind of failure
	 * @return the count since the start
	 */
	public long errors(Kind kind) {
		return this.errors[kind.ordinal()].sum();
	}

	/**
	 * What was seen last, for people.
	 * @return kind and message of the latest failure, empty if there was none
	 */
	public String lastFailure() {
		return this.lastFailure;
	}

	synchronized void failed(StoreException failure) {
		Kind kind = failure.kind();
		this.errors[kind.ordinal()].increment();
		this.lastFailure = kind.name().toLowerCase(Locale.ROOT) + ": " + failure.getMessage();
		this.failures = Math.min(REMEMBERED, this.failures + 1);
		this.wrongs = ((this.wrongs << 1) | ((kind.wrong()) ? 1 : 0)) & ((1 << REMEMBERED) - 1);
	}

	/**
	 * Demands go by the rules' failure policies from now on.
	 * @param probeWasRefused whether the store is there and says no to the probe
	 */
	synchronized void closedOff(boolean probeWasRefused) {
		boolean mostlyWrong = Integer.bitCount(this.wrongs) * 2 > Math.max(1, this.failures);
		this.health = (probeWasRefused || mostlyWrong) ? Health.DOWN : Health.DEGRADED;
	}

	synchronized void recovered() {
		this.wrongs = 0;
		this.failures = 0;
		this.health = Health.UP;
	}

	/**
	 * How a store can be doing.
	 */
	public enum Health {

		/** It answers. */
		UP,

		/** It does not answer; the rules' failure policies do. */
		DEGRADED,

		/** It answers, and refuses what is asked of it: the limiter does not run. */
		DOWN

	}

}
