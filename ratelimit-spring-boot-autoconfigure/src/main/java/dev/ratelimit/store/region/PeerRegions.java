package dev.ratelimit.store.region;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Internal: the regions that this instance reports charges to, and how they are doing.
 * Immutable.
 *
 * @param regions the regions, in the order of the properties
 */
public record PeerRegions(List<PeerRegion> regions) {

	public PeerRegions {
		regions = List.copyOf(regions);
	}

	/**
	 * Show {@code ratelimit.region.reported}, {@code ratelimit.region.lost}, and
	 * {@code ratelimit.region.dropped} in units, and {@code ratelimit.region.age} in
	 * seconds.
	 * @param registry receives the meters
	 */
	public void bindTo(MeterRegistry registry) {
		for (PeerRegion region : this.regions) {
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

	/**
	 * How the regions are doing, as JSON.
	 * @return values by name, by region
	 */
	public Map<String, Object> description() {
		Map<String, Object> all = new LinkedHashMap<>();
		for (PeerRegion region : this.regions) {
			Map<String, Object> one = new LinkedHashMap<>();
			one.put("state", (region.isSilent()) ? "silent" : "up");
			one.put("secondsWithoutReply", TimeUnit.MILLISECONDS.toSeconds(region.age().toMillis()));
			all.put(region.name(), one);
		}
		return all;
	}

	/**
	 * Why limits are not shared with all regions.
	 * @return the reason; empty if all regions reply
	 */
	public Optional<String> problem() {
		String silent = this.regions.stream()
			.filter(PeerRegion::isSilent)
			.map(PeerRegion::name)
			.collect(Collectors.joining(", "));
		return (silent.isEmpty()) ? Optional.empty()
				: Optional.of("Shared limits are counted apart from the regions without a reply: " + silent);
	}

}
