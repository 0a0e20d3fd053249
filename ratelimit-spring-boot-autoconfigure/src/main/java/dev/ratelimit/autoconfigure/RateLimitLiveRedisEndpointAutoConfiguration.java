package dev.ratelimit.autoconfigure;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of switches in Redis, and of the list of
 * instances, if the endpoint that shows them is exposed. It needs no live rules.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RateLimitRedisAutoConfiguration.class, RateLimitLiveRedisAutoConfiguration.class },
		before = RateLimitLiveAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
@ConditionalOnBean(RedisStore.class)
@Import(LiveRedisConfiguration.class)
public final class RateLimitLiveRedisEndpointAutoConfiguration {

}
