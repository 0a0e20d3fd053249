package dev.ratelimit.live.redis;

import dev.ratelimit.autoconfigure.InstanceCount;
import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.SwitchStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * What all instances share through Redis besides limits. Each auto-configuration of
 * something that needs it imports it.
 */
@Configuration(proxyBeanMethods = false)
final class LiveRedisConfiguration {

	@Bean
	RedisLive rateLimitRedisLive(ObjectProvider<RedisConnector> connector, ObjectProvider<InstanceCount> instances,
			RateLimitProperties properties, Environment environment, ObjectProvider<WallClock> clock, Time time,
			Upkeep upkeep) {
		InstanceCount sharing = instances.getIfAvailable();
		if (sharing == null) {
			throw new StoreConfigurationException("'ratelimit.live.source' is 'redis', but the store is not Redis.",
					"Configure a connection to Redis, such as 'ratelimit.redis.host', or set 'ratelimit.live.source'"
							+ " to another source.");
		}
		return new RedisLive(connector.getObject(), KeyPrefix.of(properties, environment), properties.redis().clock(),
				clock.getIfAvailable(WallClock::system).source(), time, sharing::get, upkeep);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	SwitchStore rateLimitRedisSwitches(RedisLive live) {
		return live.switches();
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	InstanceBoard rateLimitRedisInstances(RedisLive live) {
		return live.instances();
	}

}
