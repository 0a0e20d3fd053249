package dev.ratelimit.store.redis;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;

/**
 * {@link AutoConfiguration Auto-configuration} that offers the connection of an
 * application with Spring Data Redis to the limiter. Spring Boot connects to localhost if
 * nothing is configured: such a connection is not offered.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({ RedisOperations.class, DataRedisAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean(RedisConnectionFactory.class)
@Conditional(ConfiguredRedisCondition.class)
public final class RateLimitRedisConnectionAutoConfiguration {

	@Bean
	SpringDataRedis rateLimitApplicationRedis(ObjectProvider<RedisConnectionFactory> factories,
			ObjectProvider<DataRedisConnectionDetails> details) {
		return new SpringDataRedis(factories, details);
	}

}
