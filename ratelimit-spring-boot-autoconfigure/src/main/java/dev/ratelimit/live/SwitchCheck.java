package dev.ratelimit.live;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Reports rules that a switch disables or sets to shadow mode.
 *
 * @param switches the switches
 */
record SwitchCheck(Switches switches) implements Check {

	@Override
	public List<Finding> findings() {
		return this.switches.active()
			.stream()
			.map((active) -> new Finding(FindingCode.ACTIVE_SWITCH, active.change().rule().orElse("all rules"),
					"Switched " + SwitchText.of(active) + "."))
			.toList();
	}

}
