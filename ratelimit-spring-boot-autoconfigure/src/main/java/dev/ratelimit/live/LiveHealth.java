package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.actuate.HealthPart;

import org.springframework.boot.health.contributor.Health;

/**
 * The health of live rules and switches. The limiter is degraded by a rejected version, a
 * source that does not respond, or a switch for all rules.
 *
 * @param rules the live rules, if there is a source
 * @param switches the switches
 */
record LiveHealth(Optional<LiveRules> rules, Switches switches) implements HealthPart {

	@Override
	public Optional<String> describe(Health.Builder health) {
		boolean live = this.rules.map(LiveRules::status).filter((status) -> add(health, status)).isPresent();
		boolean switched = add(health, this.switches.active());
		if (live) {
			return Optional.of("Live rules are not up to date");
		}
		return (switched) ? Optional.of("All rules are switched") : Optional.empty();
	}

	private static boolean add(Health.Builder health, LiveStatus status) {
		health.withDetail("rulesVersion", status.version());
		status.rejected().ifPresent((reason) -> health.withDetail("rulesRejected", reason));
		if (status.silent()) {
			health.withDetail("rulesSource", status.source() + " has been silent for " + status.sourceAgeMillis() / 1000
					+ " s" + status.trouble().map((reason) -> ": " + reason).orElse(""));
		}
		return status.rejected().isPresent() || status.silent();
	}

	private static boolean add(Health.Builder health, List<ActiveSwitch> active) {
		if (!active.isEmpty()) {
			health.withDetail("switches", active.stream().map(SwitchText::of).toList());
		}
		return active.stream().anyMatch((one) -> one.change().rule().isEmpty());
	}

}
