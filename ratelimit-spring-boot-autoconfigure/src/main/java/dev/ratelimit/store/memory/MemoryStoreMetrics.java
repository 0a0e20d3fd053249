package dev.ratelimit.store.memory;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides meters of all in-memory stores of this instance:
 * {@code ratelimit.local.entries}, the number of buckets, and
 * {@code ratelimit.local.evictions}, the number of buckets that were evicted before they
 * were full.
 */
public final class MemoryStoreMetrics implements MeterBinder {

	private final MemoryStores stores;

	/**
	 * Create the meters of stores.
	 * @param stores the stores
	 */
	public MemoryStoreMetrics(MemoryStores stores) {
		this.stores = stores;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("ratelimit.local.entries", this.stores, MemoryStores::size)
			.description("Buckets in memory")
			.register(registry);
		FunctionCounter.builder("ratelimit.local.evictions", this.stores, MemoryStores::liveEvictions)
			.description("Buckets evicted before they were full")
			.register(registry);
	}

}
