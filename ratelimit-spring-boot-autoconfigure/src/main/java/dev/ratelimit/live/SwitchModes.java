package dev.ratelimit.live;

import java.util.List;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleModes;

/**
 * The modes of rules under some switches: the laxest of the written mode and those of all
 * switches that apply. Immutable.
 *
 * @param switches the switches
 */
record SwitchModes(List<RuleSwitch> switches) implements RuleModes {

	SwitchModes {
		switches = List.copyOf(switches);
	}

	@Override
	public RuleMode of(Rule rule) {
		RuleMode mode = rule.reaction().mode();
		if (rule.locked()) {
			return mode;
		}
		for (RuleSwitch change : this.switches) {
			if (concerns(change, rule) && isLaxer(change.mode(), mode)) {
				mode = change.mode();
			}
		}
		return mode;
	}

	private static boolean concerns(RuleSwitch change, Rule rule) {
		return change.rule().map(rule.id()::equals).orElse(rule.reaction().failure() != FailurePolicy.CLOSED);
	}

	private static boolean isLaxer(RuleMode mode, RuleMode than) {
		return strictness(mode) < strictness(than);
	}

	private static int strictness(RuleMode mode) {
		return switch (mode) {
			case OFF -> 0;
			case SHADOW -> 1;
			case ENFORCE -> 2;
		};
	}

}
