package dev.ratelimit.store.memory;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides meters of the in-memory store: {@code ratelimit.local.entries}, the
 * number of buckets, and {@code ratelimit.local.evictions}, the number of buckets that
 * were evicted before they were full.
 */
public final class MemoryStoreMetrics implements MeterBinder {

	private final MemoryLimitStore store;

	/**
	 * Create the meters of a store.
	 * @param store the store
	 */
	public MemoryStoreMetrics(MemoryLimitStore store) {
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("ratelimit.local.entries", this.store, MemoryLimitStore::size)
			.description("Buckets in the in-memory store")
			.register(registry);
		FunctionCounter.builder("ratelimit.local.evictions", this.store, MemoryLimitStore::liveEvictions)
			.description("Buckets evicted before they were full")
			.register(registry);
	}

}
