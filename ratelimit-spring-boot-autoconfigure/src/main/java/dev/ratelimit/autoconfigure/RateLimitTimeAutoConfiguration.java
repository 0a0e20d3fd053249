package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.Upkeep;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the timer of all that an instance does
 * again and again. It has no threads as long as there is nothing to do.
 */
@AutoConfiguration(before = { RateLimitCustomStoreAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
		RateLimitAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitTimeAutoConfiguration {

	@Bean
	Upkeep rateLimitUpkeep() {
		return new Upkeep();
	}

}
