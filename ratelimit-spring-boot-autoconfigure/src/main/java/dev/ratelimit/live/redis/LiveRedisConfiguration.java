package dev.ratelimit.live.redis;

import java.util.Objects;

import dev.ratelimit.autoconfigure.InstanceCount;
import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.RedisServers;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.SwitchStore;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The beans that share rules, switches, and states among instances through Redis.
 * Imported by each auto-configuration that requires them.
 */
@Configuration(proxyBeanMethods = false)
final class LiveRedisConfiguration {

	private static final String STORE = "ratelimit.live.store";

	@Bean
	RedisLive rateLimitRedisLive(ObjectProvider<RedisConnector> connector, ObjectProvider<RedisServers> others,
			ObjectProvider<InstanceCount> instances, RateLimitProperties properties, Environment environment,
			ObjectProvider<WallClock> clock, Time time, Upkeep upkeep) {
		InstanceCount sharing = instances.getIfAvailable();
		if (sharing == null) {
			throw new StoreConfigurationException("'ratelimit.live.source' is 'redis', but the store is not Redis.",
					"Configure a connection to Redis, such as 'ratelimit.redis.host', or set 'ratelimit.live.source'"
							+ " to another source.");
		}
		String store = Binder.get(environment).bind(STORE, String.class).orElse(LimitSet.DEFAULT_STORE);
		RedisConnector shared = (store.equals(LimitSet.DEFAULT_STORE)) ? connector.getObject() : other(store, others);
		return new RedisLive(shared, KeyPrefix.of(properties, environment), properties.redis().clock(),
				clock.getIfAvailable(WallClock::system).source(), time, sharing::get, upkeep);
	}

	private static RedisConnector other(String store, ObjectProvider<RedisServers> others) {
		return others.stream()
			.map((servers) -> servers.connectors().get(store))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new StoreConfigurationException(
					"'" + STORE + "' is '" + store + "', but there is no such store in Redis.",
					"Use the name of a store below 'ratelimit.stores', or remove the property."));
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
