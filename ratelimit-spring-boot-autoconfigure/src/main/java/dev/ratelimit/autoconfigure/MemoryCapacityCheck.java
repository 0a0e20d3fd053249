package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.RuleMode;
import dev.ratelimit.base.PropertyChecks;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Requires a maximum number of buckets in memory that is sufficient for a single request.
 * Otherwise, the buckets of a request evict each other.
 */
final class MemoryCapacityCheck {

	private MemoryCapacityCheck() {
	}

	static void require(RuleSet rules, long maxBuckets) {
		int least = rules.rules()
			.values()
			.stream()
			.filter((rule) -> rule.reaction().mode() != RuleMode.OFF)
			.mapToInt(MemoryCapacityCheck::limits)
			.sum();
		PropertyChecks.require(maxBuckets >= least, "memory.max-buckets", maxBuckets,
				"a request that matches all rules requires " + least + " buckets",
				"Set it to the number of concurrently used buckets, such as 500000, and to at least " + least + ".");
	}

	private static int limits(Rule rule) {
		return Stream
			.of(List.of(rule.numbers().quota()), rule.numbers().plans().values(), rule.numbers().overrides().values())
			.flatMap(Collection::stream)
			.map(LimitSet::limits)
			.mapToInt(List::size)
			.max()
			.orElse(0);
	}

}
