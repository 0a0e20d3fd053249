package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the clock of an instance, and of the
 * timer of its repeated tasks. The timer has no threads while there are no tasks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { RateLimitCustomStoreAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
		RateLimitAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitTimeAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Time rateLimitTime() {
		return Time.SYSTEM;
	}

	@Bean
	Upkeep rateLimitUpkeep() {
		return new Upkeep();
	}

}
