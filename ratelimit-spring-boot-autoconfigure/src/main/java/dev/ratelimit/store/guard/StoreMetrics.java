package dev.ratelimit.store.guard;

import java.util.Locale;

import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: shows how a guarded store is doing: {@code ratelimit.store.errors} by kind,
 * and {@code ratelimit.store.circuit}, 0 closed, 1 half-open, 2 open, of the node that is
 * furthest from closed; {@code ratelimit.inflight}, how many decisions wait.
 */
public final class StoreMetrics implements MeterBinder {

	private final StoreStatus status;

	/**
	 * Show a status.
	 * @param status the status
	 */
	public StoreMetrics(StoreStatus status) {
		this.status = status;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (Kind kind : Kind.values()) {
			FunctionCounter.builder("ratelimit.store.errors", this.status, (status) -> status.errors(kind))
				.description("Failed calls to the store")
				.tag("store", this.status.store())
				.tag("kind", kind.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
		Gauge.builder("ratelimit.store.circuit", this.status, (status) -> number(status.circuit()))
			.description("State of the store's circuit breaker: 0 closed, 1 half-open, 2 open")
			.tag("store", this.status.store())
			.register(registry);
		Gauge.builder("ratelimit.inflight", this.status, StoreStatus::inFlight)
			.description("Decisions waiting for the store")
			.tag("store", this.status.store())
			.register(registry);
	}

	private static int number(CircuitBreaker.State state) {
		return switch (state) {
			case HALF_OPEN -> 1;
			case OPEN, FORCED_OPEN -> 2;
			default -> 0;
		};
	}

}
