package dev.ratelimit.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Provides the name and the key values of observations of decisions. A bean of this type
 * replaces the {@link DefaultRateLimitObservationConvention}.
 *
 * @since 0.1.0
 * @see RateLimitObservationDocumentation
 */
public interface RateLimitObservationConvention extends ObservationConvention<RateLimitObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RateLimitObservationContext;
	}

}
