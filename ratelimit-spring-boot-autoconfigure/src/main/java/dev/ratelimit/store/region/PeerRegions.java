package dev.ratelimit.store.region;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Internal: the regions that this instance reports charges to, and their status.
 * Immutable.
 *
 * @param regions the regions, in the order of the properties
 */
public record PeerRegions(List<PeerRegion> regions) {

	public PeerRegions {
		regions = List.copyOf(regions);
	}

	/**
	 * Return the status of the regions, as JSON.
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
	 * Return the reason why limits are not shared with all regions.
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
