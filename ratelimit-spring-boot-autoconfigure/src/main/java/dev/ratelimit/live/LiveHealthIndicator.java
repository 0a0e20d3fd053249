package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.guard.RateLimitHealthIndicator;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Internal: the limiter's health, and what is to be known of live rules and switches: a
 * rejected version, a silent source, and a switch for all rules make it {@code DEGRADED}.
 *
 * @param limiter the health of the limiter without them
 * @param rules the live rules, if there are any
 * @param switches the switches, if there can be any
 */
public record LiveHealthIndicator(HealthIndicator limiter, Optional<LiveRules> rules,
		Optional<Switches> switches) implements HealthIndicator {

	@Override
	public Health health() {
		Health before = this.limiter.health();
		Health.Builder health = (before != null) ? Health.status(before.getStatus()).withDetails(before.getDetails())
				: Health.unknown();
		boolean live = this.rules.map(LiveRules::status).filter((status) -> add(health, status)).isPresent();
		boolean switched = this.switches.map(Switches::active).filter((active) -> add(health, active)).isPresent();
		if ((live || switched) && before != null && before.getStatus().equals(Status.UP)) {
			health.status(new Status(RateLimitHealthIndicator.DEGRADED.getCode(),
					(live) ? "Live rules are not up to date" : "All rules are switched"));
		}
		return health.build();
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
