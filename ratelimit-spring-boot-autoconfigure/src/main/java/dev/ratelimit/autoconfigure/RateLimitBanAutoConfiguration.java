package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.ban.BanBook;
import dev.ratelimit.ban.BanLimits;
import dev.ratelimit.ban.BanStore;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.ban.BansProperties;
import dev.ratelimit.ban.BrakeCheck;
import dev.ratelimit.ban.MemoryBanStore;
import dev.ratelimit.ban.RedisBanStore;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;
import io.lettuce.core.RedisClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of bans, marks, and pauses, if a rule bans
 * or they are enabled.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitRedisAutoConfiguration.class })
@ConditionalOnBean(RateLimitEngine.class)
@Conditional(BansCondition.class)
public final class RateLimitBanAutoConfiguration {

	private static final Duration SWEEP = Duration.ofSeconds(1);

	private static BanLimits limits(BansProperties bans) {
		return new BanLimits(bans.max(), bans.perMinute());
	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisClient.class)
	@ConditionalOnBean(RedisConnector.class)
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
	static class Keeping {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean(BanStore.class)
		MemoryBanStore rateLimitMemoryBanStore(BansProperties bans, ObjectProvider<WallClock> clock) {
			return new MemoryBanStore(new BanBook(limits(bans)), clock.getIfAvailable(WallClock::system).source());
		}

		@Bean(destroyMethod = "close")
		Bans rateLimitBans(LimitStore limits, ObjectProvider<CustomStore> custom, BanStore store,
				RateLimitEngine engine, ApplicationEventPublisher events, Upkeep upkeep) {
			Optional<CustomStore> guarded = custom.stream().findFirst();
			Bans bans = new Bans(guarded.map(CustomStore::store).orElse(limits), store, engine, events::publishEvent);
			bans.start();
			upkeep.start(SWEEP, SWEEP, "Failed to forget bans that ended", bans::sweep);
			return bans;
		}

		@Bean
		BrakeCheck rateLimitBrakeCheck(Bans bans) {
			return new BrakeCheck(bans);
		}

	}

}
