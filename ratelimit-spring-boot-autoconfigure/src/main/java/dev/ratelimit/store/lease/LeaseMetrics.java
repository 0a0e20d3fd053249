package dev.ratelimit.store.lease;

import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides meters of leased units: {@code ratelimit.lease.granted},
 * {@code spent}, {@code refunded}, {@code returned}, {@code expired} and {@code held};
 * the number of times that units were leased ahead of need,
 * {@code ratelimit.lease.refills}; and the number of decisions with and without a call,
 * {@code ratelimit.lease.decisions} by {@code path}.
 */
public final class LeaseMetrics implements MeterBinder {

	private static final String DECISIONS = "ratelimit.lease.decisions";

	private static final String ABOUT_DECISIONS = "Decisions of leased rules";

	private final LeaseStatus status;

	/**
	 * Create meters of a status.
	 * @param status the status
	 */
	public LeaseMetrics(LeaseStatus status) {
		this.status = status;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		count(registry, "granted", "Units leased to this instance", LeaseStatus::granted);
		count(registry, "spent", "Leased units spent by requests", LeaseStatus::spent);
		count(registry, "refunded", "Leased units refunded by requests", LeaseStatus::refunded);
		count(registry, "returned", "Leased units returned to the store", LeaseStatus::returned);
		count(registry, "expired", "Leased units that expired unused", LeaseStatus::expired);
		count(registry, "refills", "Leases renewed ahead of demand", LeaseStatus::refills);
		Gauge.builder("ratelimit.lease.held", this.status, LeaseStatus::held)
			.description("Leased units that this instance can still spend")
			.register(registry);
		decisions(registry, "local", LeaseStatus::local);
		decisions(registry, "remote", LeaseStatus::remote);
	}

	private void count(MeterRegistry registry, String what, String about, ToDoubleFunction<LeaseStatus> number) {
		FunctionCounter.builder("ratelimit.lease." + what, this.status, number).description(about).register(registry);
	}

	private void decisions(MeterRegistry registry, String path, ToDoubleFunction<LeaseStatus> number) {
		FunctionCounter.builder(DECISIONS, this.status, number)
			.description(ABOUT_DECISIONS)
			.tag("path", path)
			.register(registry);
	}

}
