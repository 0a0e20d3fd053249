package dev.ratelimit.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names an observation of a decision and its key values. A bean of this type replaces the
 * {@link DefaultRateLimitObservationConvention}.
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
