package dev.ratelimit.live.redis;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.autoconfigure.InstanceCount;
import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.WritableRuleSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of live rules in Redis. Switches and the
 * list of instances do not require live rules; they are available if the endpoint that
 * shows them is exposed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration",
		beforeName = "dev.ratelimit.live.RateLimitLiveAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
public final class RateLimitLiveRedisAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "redis")
	@Import(LiveRedisConfiguration.class)
	static class Rules {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean(RuleSource.class)
		WritableRuleSource rateLimitRedisRuleSource(RedisLive live, RateLimitProperties properties,
				Environment environment) {
			if (!KeyPrefix.isOwn(properties, environment)) {
				throw new StoreConfigurationException(
						"'ratelimit.live.source' is 'redis', but the application has no name: all applications"
								+ " without one would share their rules.",
						"Set 'spring.application.name', or set 'ratelimit.redis.key-prefix' to a prefix for this"
								+ " application.");
			}
			return live.rules();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
	@ConditionalOnBean(InstanceCount.class)
	@Import(LiveRedisConfiguration.class)
	static class Switches {

	}

}
