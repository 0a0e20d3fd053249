package dev.ratelimit.telemetry.redis;

import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.telemetry.EventsProperties;
import dev.ratelimit.telemetry.RateLimitTelemetryAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of decision events in a stream in Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration",
		before = RateLimitTelemetryAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ratelimit.events.stream.enabled")
@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
@ConditionalOnBean(RedisConnector.class)
@EnableConfigurationProperties(EventsProperties.class)
public final class RateLimitEventStreamAutoConfiguration {

	private static final String TAG = "events";

	@Bean
	StreamSink rateLimitEventStream(EventsProperties events, RedisConnector connector, RateLimitProperties properties,
			Environment environment, ObjectProvider<WallClock> clock) {
		return new StreamSink(new SharedKeys(connector, KeyPrefix.of(properties, environment), TAG,
				properties.redis().clock(), clock.getIfAvailable(WallClock::system).source()),
				events.stream().maxLength());
	}

}
