package dev.ratelimit.live;

import java.util.Optional;

import dev.ratelimit.RuleMode;

/**
 * Internal: a temporary change of the mode of a rule or of all rules. Immutable.
 *
 * @param rule the id of the rule; empty for all rules
 * @param mode the mode, {@link RuleMode#OFF} or {@link RuleMode#SHADOW}
 * @param untilMillis the end, in milliseconds since the epoch by the clock of the store
 * @param user the user that set it
 * @param note the reason that the user gave; may be empty
 */
public record RuleSwitch(Optional<String> rule, RuleMode mode, long untilMillis, String user, String note) {

	public RuleSwitch {
		if (mode == RuleMode.ENFORCE) {
			throw new IllegalArgumentException("a switch must be 'off' or 'shadow'");
		}
	}

}
