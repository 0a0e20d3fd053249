package dev.ratelimit.ban;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.actuate.SubjectBlocks;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.autoconfigure.BansCondition;
import dev.ratelimit.autoconfigure.CustomStore;
import dev.ratelimit.autoconfigure.KeyPrefix;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.CallbackThread;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of bans, marks, and pauses, if a rule bans
 * clients or bans are enabled.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitRedisAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(BansProperties.class)
public final class RateLimitBanAutoConfiguration {

	private static final Duration SWEEP = Duration.ofSeconds(1);

	private static final int MAX_WAITING_EVENTS = 1000;

	private static BanLimits limits(BansProperties bans) {
		return new BanLimits(bans.max(), bans.perMinute());
	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
	@ConditionalOnBean({ RateLimitEngine.class, RedisConnector.class })
	@Conditional(BansCondition.class)
	static class InRedis {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean(BanStore.class)
		RedisBanStore rateLimitRedisBanStore(RedisConnector connector, BansProperties bans,
				RateLimitProperties properties, Environment environment, ObjectProvider<WallClock> clock, Time time,
				Upkeep upkeep) {
			WallClock wall = clock.getIfAvailable(WallClock::system);
			SharedKeys keys = new SharedKeys(connector, KeyPrefix.of(properties, environment), "ban",
					properties.redis().clock(), wall.source());
			return new RedisBanStore(keys, limits(bans), time, wall.source(), upkeep);
		}

	}

	@Order(2)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitEngine.class)
	@Conditional(BansCondition.class)
	static class Keeping {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean(BanStore.class)
		MemoryBanStore rateLimitMemoryBanStore(BansProperties bans, ObjectProvider<WallClock> clock) {
			return new MemoryBanStore(new BanBook(limits(bans)), clock.getIfAvailable(WallClock::system).source());
		}

		@Bean(destroyMethod = "close")
		BanEvents rateLimitBanEvents(ApplicationEventPublisher events) {
			return new BanEvents(new CallbackThread("ratelimit-ban-events", MAX_WAITING_EVENTS), events);
		}

		@Bean(destroyMethod = "close")
		Bans rateLimitBans(LimitStore limits, ObjectProvider<CustomStore> custom, BanStore store,
				RateLimitEngine engine, BanEvents events, Upkeep upkeep) {
			Optional<CustomStore> guarded = custom.stream().findFirst();
			Bans bans = new Bans(guarded.map(CustomStore::store).orElse(limits), store, engine, events::publish);
			bans.start();
			upkeep.start(SWEEP, SWEEP, "Failed to forget bans that ended", bans::sweep);
			return bans;
		}

		@Bean
		BrakeCheck rateLimitBrakeCheck(Bans bans) {
			return new BrakeCheck(bans);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ Bans.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		BanMetrics rateLimitBanMetrics(Bans bans) {
			return new BanMetrics(bans);
		}

	}

	/**
	 * Publishes events on a separate thread. Bans are imposed on the threads of the
	 * connection to Redis, which listeners of the application must not block.
	 *
	 * @param thread the thread that calls the listeners
	 * @param events publishes events to the listeners
	 */
	record BanEvents(CallbackThread thread, ApplicationEventPublisher events) implements AutoCloseable {

		void publish(Object event) {
			this.thread.execute(() -> this.events.publishEvent(event));
		}

		@Override
		public void close() {
			this.thread.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(Bans.class)
	@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
	static class Live {

		@Bean
		LiveBansResource rateLimitLiveBansResource(Bans bans, RateLimitEngine engine, ClientAddresses addresses,
				ApplicationEventPublisher events) {
			return new LiveBansResource(bans, engine, addresses, events);
		}

		@Bean
		SubjectBlocks rateLimitBanBlocks(Bans bans) {
			return bans::liftAll;
		}

	}

}
