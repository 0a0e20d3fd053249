package dev.ratelimit.store.guard;

import dev.ratelimit.store.CallSizes;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: shows {@code ratelimit.store.calls}, the calls to Redis that decide or
 * correct, with how many decisions and corrections each makes.
 */
public final class CallMetrics implements MeterBinder {

	private static final double[] BOUNDARIES = { 1, 2, 4, 8, 16, 32, 64 };

	private final CallSizes sizes;

	/**
	 * Show the sizes of calls.
	 * @param sizes the sizes
	 */
	public CallMetrics(CallSizes sizes) {
		this.sizes = sizes;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		DistributionSummary summary = DistributionSummary.builder("ratelimit.store.calls")
			.description("Decisions and corrections for each call to the store")
			.tag("store", "redis")
			.serviceLevelObjectives(BOUNDARIES)
			.register(registry);
		this.sizes.observe(summary::record);
	}

}
