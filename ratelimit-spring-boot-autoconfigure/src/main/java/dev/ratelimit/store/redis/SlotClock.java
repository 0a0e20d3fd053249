package dev.ratelimit.store.redis;

import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Internal: requires one clock for the slots of all instances. If clocks differ, an
 * instance frees slots that other instances still hold.
 */
public final class SlotClock {

	private SlotClock() {
	}

	public static void require(RuleSet rules, RedisClock clock) {
		if (clock == RedisClock.SERVER) {
			return;
		}
		rules.rules().values().stream().filter(SlotClock::holdsSlots).findFirst().ifPresent((rule) -> {
			throw new InvalidRuleException(rule.location(), "",
					"it limits concurrent requests, and 'ratelimit.redis.clock' is 'client': an instance whose clock is"
							+ " ahead would free the slots of the others",
					"Set 'ratelimit.redis.clock' to 'server', or use another algorithm.");
		});
	}

	private static boolean holdsSlots(Rule rule) {
		return rule.reaction().mode() != RuleMode.OFF && rule.numbers().all().anyMatch(Limit::concurrent);
	}

}
