package dev.ratelimit.actuate;

import java.util.Optional;

import org.springframework.boot.health.contributor.Health;

/**
 * Internal: a part of the limiter's health that a capability contributes as a bean.
 */
@FunctionalInterface
public interface HealthPart {

	/**
	 * Add details.
	 * @param health receives the details
	 * @return the reason if the limiter is degraded; empty otherwise
	 */
	Optional<String> describe(Health.Builder health);

}
