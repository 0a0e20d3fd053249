package dev.ratelimit.store.redis;

import dev.ratelimit.base.StoreConfigurationException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connection to Redis of an application that uses Spring Data Redis.
 */
final class SpringDataRedis implements ApplicationRedis {

	private final ObjectProvider<RedisConnectionFactory> factories;

	private final ObjectProvider<DataRedisConnectionDetails> details;

	SpringDataRedis(ObjectProvider<RedisConnectionFactory> factories,
			ObjectProvider<DataRedisConnectionDetails> details) {
		this.factories = factories;
		this.details = details;
	}

	@Override
	public RedisConnectionSettings settings() {
		RedisConnectionFactory factory = this.factories.getIfUnique();
		if (factory == null) {
			throw new StoreConfigurationException("The application has more than one connection to Redis.",
					"Annotate the one to use with @Primary, or set 'ratelimit.redis.host' to configure a separate"
							+ " connection for the limiter.");
		}
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw new StoreConfigurationException(
					"Connection factories of type " + factory.getClass().getSimpleName() + " are not supported.",
					"Set 'ratelimit.redis.host' to configure a separate connection for the limiter, or set"
							+ " 'ratelimit.store: memory'.");
		}
		if (this.details.stream().anyMatch((known) -> known.getMasterReplica() != null)) {
			throw RedisSettings.staticGroup();
		}
		return LettuceFactorySettings.of(lettuce);
	}

}
