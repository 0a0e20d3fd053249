package dev.ratelimit.observation;

import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.rule.InvalidRuleException;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of observations of decisions.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ratelimit.observation.enabled")
public final class RateLimitObservationAutoConfiguration {

	@Bean
	PassageObserver rateLimitObservations(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<RateLimitObservationConvention> convention) {
		return new RateLimitObservations(registry.stream()
			.findFirst()
			.orElseThrow(() -> new InvalidRuleException("ratelimit.observation.enabled", "true",
					"there is no ObservationRegistry", "Add 'spring-boot-starter-actuator', or remove the property.")),
				convention.getIfAvailable(DefaultRateLimitObservationConvention::new));
	}

}
