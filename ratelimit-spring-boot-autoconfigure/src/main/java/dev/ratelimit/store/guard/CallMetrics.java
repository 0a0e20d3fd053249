package dev.ratelimit.store.guard;

import dev.ratelimit.store.CallSizes;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides {@code ratelimit.store.calls}, the number of decisions and
 * corrections in each call to Redis.
 */
public final class CallMetrics implements MeterBinder {

	private static final double[] BOUNDARIES = { 1, 2, 4, 8, 16, 32, 64 };

	private final CallSizes sizes;

	private final OtherStores others;

	/**
	 * Create the meters of the sizes of calls.
	 * @param sizes the sizes of the default store
	 * @param others the other stores
	 */
	public CallMetrics(CallSizes sizes, OtherStores others) {
		this.sizes = sizes;
		this.others = others;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind("redis", this.sizes, registry);
		this.others.stores().forEach((other) -> bind(other.name(), other.calls(), registry));
	}

	private static void bind(String store, CallSizes sizes, MeterRegistry registry) {
		DistributionSummary summary = DistributionSummary.builder("ratelimit.store.calls")
			.description("Decisions and corrections for each call to the store")
			.tag("store", store)
			.serviceLevelObjectives(BOUNDARIES)
			.register(registry);
		sizes.observe(summary::record);
	}

}
