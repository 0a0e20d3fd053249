package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.RuleSet;

/**
 * Requires that the stores exist that rules reference.
 */
final class StoreCheck {

	private StoreCheck() {
	}

	static void require(RuleSet rules, Collection<String> named, String here) {
		Collection<String> stores = new TreeSet<>(List.of(LimitSet.DEFAULT_STORE, LimitSet.LOCAL_STORE));
		stores.addAll(named);
		if (!here.isEmpty()) {
			stores.add(here);
		}
		rules.rules().values().forEach((rule) -> rule.numbers().sets().forEach((part, limits) -> {
			if (!stores.contains(limits.store())) {
				throw new InvalidRuleException(rule.location() + part + ".store", limits.store(),
						"there is no such store; the stores are " + String.join(", ", stores),
						"Use one of these, or add it below 'ratelimit.stores'.");
			}
		}));
	}

	static void requireNone(RateLimitProperties properties, boolean required) {
		if (required && !properties.stores().isEmpty()) {
			throw new StoreConfigurationException("'ratelimit.stores' is set, but the default store is not in Redis.",
					"Set 'ratelimit.redis.host', or remove 'ratelimit.stores'. With 'ratelimit.store: memory', all"
							+ " stores are in memory.");
		}
	}

}
