package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.live.SwitchText;
import dev.ratelimit.live.Switches;

/**
 * Internal: tells of rules that are switched off, or only count.
 *
 * @param switches the switches
 */
public record SwitchCheck(Switches switches) implements Check {

	@Override
	public List<Finding> findings() {
		return this.switches.active()
			.stream()
			.map((active) -> new Finding(FindingCode.ACTIVE_SWITCH, active.change().rule().orElse("all rules"),
					"Switched " + SwitchText.of(active) + "."))
			.toList();
	}

}
