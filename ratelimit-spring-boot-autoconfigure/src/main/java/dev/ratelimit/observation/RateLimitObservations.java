package dev.ratelimit.observation;

import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.PassageObservers;
import io.micrometer.observation.ObservationRegistry;

/**
 * Internal: observes gates by Micrometer's observations.
 *
 * @param registry where observations are made
 * @param convention names them and their key values
 */
public record RateLimitObservations(ObservationRegistry registry,
		RateLimitObservationConvention convention) implements PassageObservers {

	@Override
	public PassageObserver of(String phase) {
		return new DecisionObserver(this.registry, this.convention, phase);
	}

}
