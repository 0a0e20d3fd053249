package dev.ratelimit.autoconfigure;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.engine.RegionTerms;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.RegionMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Checks the requirements of limits that are split or shared between regions.
 *
 * @param regions the regions
 */
record RegionCheck(RegionProperties regions) {

	void require(RuleSet rules) {
		for (Rule rule : rules.rules().values()) {
			if (rule.regions() == RegionMode.SPLIT) {
				require(!this.regions.weights().isEmpty(), rule, ".regions", "split", "the regions have no weights",
						"Set 'ratelimit.regions.weights'.");
				rule.numbers().sets().forEach((part, limits) -> requireShare(rule, part, limits));
			}
			if (rule.regions() == RegionMode.SHARED) {
				require(!this.regions.peers().isEmpty(), rule, ".regions", "shared", "there are no other regions",
						"Set 'ratelimit.regions.peers'.");
				rule.numbers().sets().forEach((part, limits) -> requireSharing(rule, part, limits));
			}
		}
	}

	private void requireShare(Rule rule, String part, LimitSet limits) {
		RegionTerms terms = this.regions.terms();
		for (Limit limit : limits.limits()) {
			long least = Math.min(limit.quantity(), limit.burst());
			require(least * terms.weight() >= 100, rule, part + ".limit", limit.toString(),
					"the share of the region '" + terms.here() + "' is 0 (" + terms.weight() + " %)",
					"Increase the limit, or use 'regions: shared', or one store for all regions.");
		}
	}

	private static void requireSharing(Rule rule, String part, LimitSet limits) {
		require(limits.store().equals(LimitSet.DEFAULT_STORE), rule, part + ".store", limits.store(),
				"a shared limit is counted in the default store of each region",
				"Remove 'store' or 'regions: shared'.");
		for (Limit limit : limits.limits()) {
			require(Algorithms.of(limit).calculator(limit).supportsLeasing(), rule, part + ".algorithm",
					limit.algorithm(), "this algorithm cannot be shared between regions",
					"Use '" + Algorithms.DEFAULT
							+ "' or another algorithm that can be leased, or set 'store' to one store for"
							+ " all regions.");
		}
	}

	private static void require(boolean condition, Rule rule, String part, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(rule.location() + part, value, reason, action);
		}
	}

}
