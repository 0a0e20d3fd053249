package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.base.PropertyChecks;
import dev.ratelimit.engine.RegionTerms;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Regions, each with a Redis of its own, below {@code ratelimit.regions}.
 *
 * @param here Name of the region of this instance. Rules whose store has this name are
 * counted in the default store.
 * @param peers Names of the stores that are the default stores of the other regions.
 * @param interval Interval at which charges on shared limits are reported to the other
 * regions, from 50ms to 10s.
 * @param weights Percentages of split limits by region, 100 in total.
 */
record RegionProperties(@DefaultValue("") String here, @DefaultValue List<String> peers,
		@DefaultValue("200ms") Duration interval, @DefaultValue Map<String, Integer> weights) {

	private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

	private static final int HUNDRED_PERCENT = 100;

	public RegionProperties {
		require(interval.toMillis() >= 50 && interval.toMillis() <= 10_000, "interval", interval,
				"it must be between 50 ms and 10 s", "Set how often charges are reported, such as 200ms.");
		require((peers.isEmpty() && weights.isEmpty()) || !here.isBlank(), "here", here,
				"'peers' and 'weights' require the name of the region of this instance",
				"Set 'ratelimit.regions.here'.");
		require(here.isBlank() || NAME.matcher(here).matches(), "here", here,
				"the name of a region must be a lowercase letter followed by at most 31 lowercase letters, digits, and"
						+ " dashes",
				"Rename the region.");
		require(!peers.contains(here), "peers", peers, "the region of this instance is among them",
				"Remove '" + here + "'.");
		require(weights.isEmpty() || weights.values().stream().mapToInt(Integer::intValue).sum() == HUNDRED_PERCENT,
				"weights", weights, "they are not 100 in total", "Correct the percentages.");
		require(weights.isEmpty() || weights.containsKey(here), "weights", weights,
				"the region of this instance is not among them", "Add '" + here + "'.");
		require(weights.values().stream().allMatch((weight) -> weight >= 0), "weights", weights,
				"a percentage must not be negative", "Correct the percentages.");
	}

	private static void require(boolean condition, String name, @Nullable Object value, String reason, String action) {
		PropertyChecks.require(condition, "regions." + name, String.valueOf(value), reason, action);
	}

	void requireStores(Collection<String> stores) {
		peers().forEach((peer) -> require(stores.contains(peer), "peers", peer, "there is no such store",
				"Add it below 'ratelimit.stores'."));
	}

	RegionTerms terms() {
		return new RegionTerms(this.here, this.weights.getOrDefault(this.here, HUNDRED_PERCENT));
	}

}
