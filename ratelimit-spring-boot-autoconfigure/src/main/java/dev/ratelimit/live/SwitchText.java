package dev.ratelimit.live;

import java.time.Instant;

import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.ShownText;

/**
 * Descriptions of switches.
 */
final class SwitchText {

	private SwitchText() {
	}

	static String on(ActiveSwitch active) {
		return "Switched " + of(active);
	}

	static String off(ActiveSwitch active) {
		return "No longer switched: " + of(active);
	}

	/**
	 * Describe a switch.
	 * @param active the switch
	 * @return the description, such as {@code rule 'search' to shadow until ... by alice
	 * (note)}
	 */
	static String of(ActiveSwitch active) {
		RuleSwitch change = active.change();
		return change.rule().map((rule) -> "rule '" + ShownText.of(rule) + "'").orElse("all rules") + " to "
				+ EnumNames.of(change.mode()) + " until " + Instant.ofEpochMilli(change.untilMillis()) + " by "
				+ ShownText.of(change.user()) + ((active.instanceOnly()) ? " on this instance" : "")
				+ ((change.note().isEmpty()) ? "" : " (" + ShownText.of(change.note()) + ")");
	}

}
