package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;

/**
 * Internal: the cost of a request, and the limits. Immutable.
 *
 * @param quota the limits of clients without a plan
 * @param plans numbers that replace the quota, by plan
 * @param overrides numbers that replace the quota and the plans, by the value of the
 * key's part
 * @param cost the cost of one request
 * @param bucket the name under which rules share their buckets; empty if they do not
 * @param consistency whether each decision calls the store
 * @param reserve slots that only requests of some levels take
 */
public record RuleNumbers(LimitSet quota, Map<String, LimitSet> plans, Map<String, LimitSet> overrides, Cost cost,
		Optional<String> bucket, Consistency consistency, Reserve reserve) {

	private static final Pattern BUCKET = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	public RuleNumbers {
		plans = Collections.unmodifiableMap(new TreeMap<>(plans));
		overrides = Collections.unmodifiableMap(new TreeMap<>(overrides));
		bucket.ifPresent((name) -> Checks.UNPLACED.require(BUCKET.matcher(name).matches(), ".bucket", name,
				"a bucket name must be a lowercase letter followed by at most 63 lowercase letters, digits, and"
						+ " dashes",
				"Rename the bucket."));
	}

	/**
	 * Return whether some slots are reserved.
	 * @return whether levels have different capacities
	 */
	public boolean reserves() {
		return !this.reserve.isNone();
	}

	/**
	 * Return the limits of the rule, of all its plans, and of overrides.
	 * @return all limits
	 */
	public Stream<Limit> all() {
		return sets().values().stream().flatMap((set) -> set.limits().stream());
	}

	/**
	 * Return the same limits by the property that defines them.
	 * @return the limits, by the part of the property after the rule
	 */
	public Map<String, LimitSet> sets() {
		Map<String, LimitSet> sets = new LinkedHashMap<>();
		sets.put("", this.quota);
		this.plans.forEach((name, set) -> sets.put(".plans." + name, set));
		this.overrides.forEach((value, set) -> sets.put(".overrides[" + value + "]", set));
		return sets;
	}

}
