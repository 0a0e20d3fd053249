package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.doctor.ClockCheck;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.redis.RedisConnector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} of the store in Redis, where there is a
 * connection to one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { DataRedisAutoConfiguration.class, RateLimitRedisConnectionAutoConfiguration.class })
@ConditionalOnClass({ RedisConnectionFactory.class, GuardedLimitStore.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional(RateLimitRedisAutoConfiguration.NotMemory.class)
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnMissingBean(LimitStore.class)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitRedisAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitRedisAutoConfiguration.class);

	/** Long enough for a first connection, short enough not to hold up the start. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	@Bean
	RedisConnector rateLimitRedisConnector(RedisConnectionFactory factory,
			ObjectProvider<DataRedisConnectionDetails> details) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw new StoreConfigurationException(
					"Rate limits cannot be counted in Redis through a " + factory.getClass().getSimpleName() + ".",
					"Use Lettuce: put 'io.lettuce:lettuce-core' on the class path and leave out"
							+ " 'spring.data.redis.client-type'; or set 'ratelimit.store: memory'.");
		}
		boolean replicas = details.stream().anyMatch((known) -> known.getMasterReplica() != null);
		if (replicas) {
			throw new StoreConfigurationException("Rate limits cannot be counted in a static master-replica group.",
					"Point 'spring.data.redis' at one server, a Sentinel group or a Redis Cluster, or set"
							+ " 'ratelimit.store: memory'.");
		}
		return new RedisConnector(lettuce);
	}

	@Bean
	RedisStore rateLimitRedisStore(RedisConnector connector, RateLimitProperties properties, Environment environment,
			ObjectProvider<WallClock> clock, ApplicationContext context) {
		AheadOfTime.requireRedis(properties);
		RedisStore store = new RedisStore(connector, KeyPrefix.of(properties, environment), properties,
				clock.getIfAvailable(WallClock::system), GuardDefaults.settings(properties, context),
				context::publishEvent);
		Optional<StoreException> failure = store.start(PATIENCE);
		if (failure.isPresent() && properties.store() == RateLimitProperties.StoreType.REDIS) {
			store.close();
			throw new StoreConfigurationException(
					"'ratelimit.store' is 'redis', but Redis cannot be used: " + failure.get().getMessage() + ".",
					"Start Redis and check 'spring.data.redis', or set 'ratelimit.store: auto' to start without it"
							+ " and let each rule go by its failure policy.");
		}
		if (failure.isEmpty()) {
			logger.info("Rate limits are counted in Redis");
			store.startWarmUp();
		}
		return store;
	}

	@Bean
	LimitStore redisLimitStore(RedisStore store) {
		return store.store();
	}

	@Bean
	StoreStatus rateLimitStoreStatus(RedisStore store) {
		return store.status();
	}

	@Bean
	LeaseStatus rateLimitLeaseStatus(RedisStore store) {
		return store.leases();
	}

	@Bean
	ClockCheck rateLimitClockCheck(RedisStore store) {
		return new ClockCheck(store::clockSkewMillis);
	}

	/**
	 * Unless the store is said to be memory.
	 */
	static final class NotMemory extends NoneNestedConditions {

		NotMemory() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "ratelimit.store", havingValue = "memory")
		static final class Memory {

		}

	}

}
