package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.guard.RateLimitHealthIndicator;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the store, with the details of the capabilities. If the store is up and a
 * capability is degraded, the status is {@code DEGRADED}.
 *
 * @param store the health of the store
 * @param parts the parts of the capabilities
 */
record LimiterHealth(HealthIndicator store, List<HealthPart> parts) implements HealthIndicator {

	@Override
	public Health health() {
		Health before = this.store.health();
		Health.Builder health = (before != null) ? Health.status(before.getStatus()).withDetails(before.getDetails())
				: Health.unknown();
		Optional<String> degraded = Optional.empty();
		for (HealthPart part : this.parts) {
			Optional<String> reason = part.describe(health);
			degraded = degraded.or(() -> reason);
		}
		if (before != null && before.getStatus().equals(Status.UP)) {
			degraded
				.ifPresent((reason) -> health.status(new Status(RateLimitHealthIndicator.DEGRADED.getCode(), reason)));
		}
		return health.build();
	}

}
