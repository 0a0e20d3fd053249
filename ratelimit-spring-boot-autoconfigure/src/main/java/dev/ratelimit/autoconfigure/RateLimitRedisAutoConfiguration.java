package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.CallSizes;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.memory.MemoryStores;
import dev.ratelimit.store.redis.ApplicationRedis;
import dev.ratelimit.store.redis.ClockCheck;
import dev.ratelimit.store.redis.RateLimitRedisConnectionAutoConfiguration;
import dev.ratelimit.store.redis.RedisConnectionCondition;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisSource;
import dev.ratelimit.store.redis.RegionBoard;
import dev.ratelimit.store.redis.SlotClock;
import dev.ratelimit.store.region.PeerRegions;
import io.lettuce.core.RedisClient;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link AutoConfiguration Auto-configuration} of the Redis store, if a connection to
 * Redis is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitRedisConnectionAutoConfiguration.class)
@ConditionalOnClass(RedisClient.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional({ RateLimitRedisAutoConfiguration.NotMemory.class, RateLimitRedisAutoConfiguration.Configured.class })
@ConditionalOnMissingBean(LimitStore.class)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitRedisAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitRedisAutoConfiguration.class);

	/** Sufficient for a first connection, without a noticeable delay of the start. */
	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	/**
	 * The timeout if the application must not start without Redis; sufficient for a busy
	 * machine.
	 */
	private static final Duration REQUIRED_TIMEOUT = Duration.ofSeconds(10);

	@Bean
	RedisConnector rateLimitRedisConnector(RateLimitProperties properties, ObjectProvider<ApplicationRedis> application,
			ObjectProvider<SslBundles> bundles, Environment environment) {
		return new RedisConnector(
				new RedisSource(properties.redis(), application.getIfAvailable(), bundles.getIfAvailable(), environment)
					.settings());
	}

	@Bean
	@Conditional(OtherStoresCondition.class)
	RedisServers rateLimitRedisServers(RateLimitProperties properties, ObjectProvider<SslBundles> bundles) {
		return new RedisServers(properties.stores(), bundles.getIfAvailable());
	}

	@Bean
	RedisStore rateLimitRedisStore(RedisConnector connector, ObjectProvider<RedisServers> servers,
			RateLimitProperties properties, Environment environment, ObjectProvider<WallClock> clock,
			ApplicationContext context, Time time, Upkeep upkeep, ObjectProvider<Editions> editions) {
		AotCheck.requireRedis(properties);
		editions.ifAvailable((all) -> all.addCheck((rules) -> SlotClock.require(rules, properties.redis().clock())));
		StoreWarnings.log(connector, connectors(servers), properties.stores());
		RedisStore store = new RedisStore(connector, connectors(servers), KeyPrefix.of(properties, environment),
				properties, clock.getIfAvailable(WallClock::system), GuardDefaults.settings(properties, context),
				context::publishEvent, time, upkeep, new MaxHold(editions::getObject));
		boolean required = properties.store() == RateLimitProperties.StoreType.REDIS;
		Optional<StoreException> failure = store.start((required) ? REQUIRED_TIMEOUT : TIMEOUT);
		if (failure.isPresent() && required) {
			store.close();
			throw new StoreConfigurationException(
					"'ratelimit.store' is 'redis', but Redis is unavailable: " + failure.get().getMessage() + ".",
					"Start Redis and check 'ratelimit.redis' or 'spring.data.redis', or set 'ratelimit.store: auto'"
							+ " to start without Redis and apply the failure policy of each rule.");
		}
		if (failure.isEmpty()) {
			logger.info("Using the Redis store; all instances share the limits");
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
	@ConditionalOnBean(RedisServers.class)
	OtherStores rateLimitOtherStores(RedisStore store) {
		return store.otherStores();
	}

	@Bean
	@Conditional(PeersCondition.class)
	PeerRegions rateLimitPeerRegions(RedisStore store) {
		return store.peers();
	}

	@Bean
	@Conditional(PeersCondition.class)
	RegionBoard rateLimitRegionBoard(RedisConnector connector, ObjectProvider<RedisServers> servers,
			RateLimitProperties properties, Environment environment, Editions editions, Upkeep upkeep) {
		Map<String, RedisConnector> peers = new LinkedHashMap<>(connectors(servers));
		peers.keySet().retainAll(properties.regions().peers());
		return new RegionBoard(connector, peers, KeyPrefix.of(properties, environment), properties.regions().here(),
				() -> editions.current().sharedLimits(), upkeep);
	}

	@Bean
	@ConditionalOnBean(RegionBoard.class)
	Check rateLimitRegionBoardCheck(RegionBoard board) {
		return () -> board.problems()
			.stream()
			.map((problem) -> new Finding(FindingCode.REGIONS_DIFFER, "ratelimit.regions.peers", problem))
			.toList();
	}

	@Bean
	CallSizes rateLimitCallSizes(RedisStore store) {
		return store.calls();
	}

	@Bean
	MemoryStores rateLimitMemoryStores(RedisStore store) {
		return store.stages().memory();
	}

	@Bean
	LeaseStatus rateLimitLeaseStatus(RedisStore store) {
		return store.leases();
	}

	@Bean
	HoldingStatus rateLimitHoldingStatus(RedisStore store) {
		return store.stages().slots().status();
	}

	@Bean
	InstanceCount rateLimitInstanceCount(RedisStore store) {
		return store.instances()::getAsInt;
	}

	@Bean
	ClockCheck rateLimitClockCheck(RedisStore store) {
		return new ClockCheck(store::clockSkewMillis);
	}

	@Bean
	QuotaStorageCheck rateLimitQuotaStorageCheck(RedisConnector connector, ObjectProvider<RedisServers> servers,
			RateLimitProperties properties, Editions editions, Upkeep upkeep) {
		return new QuotaStorageCheck(editions, properties.regions().terms(), connector, connectors(servers), upkeep);
	}

	private static Map<String, RedisConnector> connectors(ObjectProvider<RedisServers> servers) {
		return servers.stream().findFirst().map(RedisServers::connectors).orElse(Map.of());
	}

	/**
	 * Matches unless {@code ratelimit.store} is {@code memory}.
	 */
	static final class NotMemory extends NoneNestedConditions {

		NotMemory() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "ratelimit.store", havingValue = "memory")
		static final class Memory {

		}

	}

	/**
	 * Matches if there are stores below {@code ratelimit.stores}.
	 */
	static final class OtherStoresCondition extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean any = Binder.get(context.getEnvironment())
				.bind("ratelimit.stores", Bindable.mapOf(String.class, Object.class))
				.isBound();
			return new ConditionOutcome(any, ConditionMessage.forCondition("Stores")
				.because("'ratelimit.stores' has " + ((any) ? "some" : "none")));
		}

	}

	/**
	 * Matches if there are other regions.
	 */
	static final class PeersCondition extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean any = Binder.get(context.getEnvironment())
				.bind("ratelimit.regions.peers", Bindable.listOf(String.class))
				.isBound();
			return new ConditionOutcome(any, ConditionMessage.forCondition("Regions")
				.because("'ratelimit.regions.peers' has " + ((any) ? "some" : "none")));
		}

	}

	/**
	 * Matches if properties configure a connection to Redis, or the application has its
	 * own connection.
	 */
	static final class Configured extends AnyNestedCondition {

		Configured() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(RedisConnectionCondition.class)
		static final class Properties {

		}

		@ConditionalOnBean(ApplicationRedis.class)
		static final class Application {

		}

	}

}
