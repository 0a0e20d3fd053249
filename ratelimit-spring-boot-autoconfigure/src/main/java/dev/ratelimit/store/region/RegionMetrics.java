package dev.ratelimit.store.region;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Internal: provides {@code ratelimit.region.reported}, {@code ratelimit.region.lost},
 * and {@code ratelimit.region.dropped} in units, and {@code ratelimit.region.age} in
 * seconds.
 */
public final class RegionMetrics implements MeterBinder {

	private final PeerRegions regions;

	/**
	 * Create the meters of other regions.
	 * @param regions the regions
	 */
	public RegionMetrics(PeerRegions regions) {
		this.regions = regions;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (PeerRegion region : this.regions.regions()) {
			FunctionCounter.builder("ratelimit.region.reported", region, PeerRegion::reportedUnits)
				.description("Units that were reported to another region")
				.tag("peer", region.name())
				.register(registry);
			FunctionCounter.builder("ratelimit.region.lost", region, PeerRegion::lostUnits)
				.description("Units that were reported to another region without a reply")
				.tag("peer", region.name())
				.register(registry);
			FunctionCounter.builder("ratelimit.region.dropped", region, PeerRegion::droppedUnits)
				.description("Units that were not reported because of too many buckets")
				.tag("peer", region.name())
				.register(registry);
			Gauge.builder("ratelimit.region.age", region, (one) -> one.age().toMillis() / 1000.0)
				.description("Time without a reply of another region while there was something to report")
				.tag("peer", region.name())
				.baseUnit("seconds")
				.register(registry);
		}
	}

}
