package dev.ratelimit.store.guard;

import java.util.Locale;

import dev.ratelimit.store.StoreException.Kind;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides the meters of guarded stores: {@code ratelimit.store.errors} by
 * kind; {@code ratelimit.store.circuit}, 0 closed, 2 open, of the node with the worst
 * state; and {@code ratelimit.inflight}, the number of waiting decisions.
 */
public final class StoreMetrics implements MeterBinder {

	private final StoreStatus status;

	private final OtherStores others;

	/**
	 * Create the meters of all stores.
	 * @param status the status of the default store
	 * @param others the other stores
	 */
	public StoreMetrics(StoreStatus status, OtherStores others) {
		this.status = status;
		this.others = others;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind(this.status, registry);
		this.others.stores().forEach((other) -> bind(other.status(), registry));
	}

	private static void bind(StoreStatus store, MeterRegistry registry) {
		for (Kind kind : Kind.values()) {
			FunctionCounter.builder("ratelimit.store.errors", store, (status) -> status.errors(kind))
				.description("Failed calls to the store")
				.tag("store", store.store())
				.tag("kind", kind.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
		Gauge.builder("ratelimit.store.circuit", store, (status) -> number(status.circuit()))
			.description("State of the store's circuit breaker: 0 closed, 2 open")
			.tag("store", store.store())
			.register(registry);
		Gauge.builder("ratelimit.inflight", store, StoreStatus::inFlight)
			.description("Decisions waiting for the store")
			.tag("store", store.store())
			.register(registry);
	}

	private static int number(CircuitBreaker.State state) {
		return switch (state) {
			case OPEN, FORCED_OPEN -> 2;
			default -> 0;
		};
	}

}
