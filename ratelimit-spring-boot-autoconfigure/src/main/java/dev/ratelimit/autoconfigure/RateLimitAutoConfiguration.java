package dev.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.DecisionListener;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.engine.BackgroundListener;
import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.store.CallbackThread;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.RedisConnectionProperties;
import dev.ratelimit.web.RequestGate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} of the rules, the engine, and an in-memory
 * store if there is no other store.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(RateLimitRuntimeHints.class)
public final class RateLimitAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitAutoConfiguration.class);

	private static final int MAX_WAITING_DECISIONS = 10_000;

	private static final String LETTUCE = "io.lettuce.core.RedisClient";

	@Bean
	ClientAddresses rateLimitClientAddresses(RateLimitProperties properties) {
		return properties.clientAddress().addresses();
	}

	@Bean
	@ConditionalOnMissingBean(LimitStore.class)
	MemoryLimitStore memoryLimitStore(RateLimitProperties properties, Environment environment,
			ObjectProvider<Time> time) {
		AotCheck.requireMemory(properties, environment);
		requireLettuce(properties, environment);
		if (properties.store() == RateLimitProperties.StoreType.REDIS) {
			throw new StoreConfigurationException("'ratelimit.store' is 'redis', but there is no connection to Redis.",
					"Set 'ratelimit.redis.host', and do not exclude 'RateLimitRedisAutoConfiguration'.");
		}
		StoreCheck.requireNone(properties, properties.store() != RateLimitProperties.StoreType.MEMORY);
		logger.info("Using the in-memory store; limits are per instance"
				+ ((properties.store() == RateLimitProperties.StoreType.AUTO)
						? " (no connection to Redis is configured, such as 'ratelimit.redis.host')" : ""));
		return StoreStages.memory(properties, time.getIfAvailable(() -> Time.SYSTEM));
	}

	private static void requireLettuce(RateLimitProperties properties, Environment environment) {
		boolean configured = properties.store() != RateLimitProperties.StoreType.MEMORY
				&& RedisConnectionProperties.areSet(environment);
		if (configured && !ClassUtils.isPresent(LETTUCE, null)) {
			throw new StoreConfigurationException(
					"A connection to Redis is configured, but Lettuce is not on the classpath.",
					"Add 'io.lettuce:lettuce-core', or set 'ratelimit.store: memory'.");
		}
	}

	@Bean
	static RuleBindAdvisor rateLimitRuleBindAdvisor(ResourceLoader resources) {
		return new RuleBindAdvisor(() -> PropertyGroups.load(resources.getClassLoader()));
	}

	// With 'spring.main.lazy-initialization', beans that no other bean uses would not be
	// created: property groups, which reject unknown properties, checks, and counters
	// with a thread of their own.
	@Bean
	static LazyInitializationExcludeFilter rateLimitEagerBeans() {
		return (name, definition, type) -> type.getName().startsWith("dev.ratelimit.");
	}

	@Bean
	@ConditionalOnMissingBean
	Editions rateLimitEditions(RateLimitProperties properties, Environment environment, ListableBeanFactory beans,
			ObjectProvider<Time> time) {
		Editions editions = new Editions(time.getIfAvailable(() -> Time.SYSTEM), properties.regions().terms());
		editions
			.addCheck((rules) -> StoreCheck.require(rules, properties.stores().keySet(), properties.regions().here()));
		editions.addCheck(new RegionCheck(properties.regions())::require);
		editions.addCheck((rules) -> MemoryCapacityCheck.require(rules, properties.memory().maxBuckets()));
		editions.addCheck(new BanChecks(BanChecks.enabled(environment), () -> beans.containsBean("rateLimitBans"),
				properties.clientAddress().forgeable())::check);
		editions.addCheck(new WaitChecks(() -> beans.containsBean("rateLimitFairWaitQueueFactory"))::check);
		editions.addCheck(new ConnectionChecks(ConnectionChecks.enabled(environment),
				() -> beans.containsBean("rateLimitConnectionSlots"))::check);
		editions.addCheck(new DescriptorChecks(
				DescriptorChecks.enabled(environment) && TestSlice.of(environment, beans).isEmpty(),
				() -> beans.containsBean("rateLimitEnvoyService"))::check);
		editions.addCheck((rules) -> GraphQlCheck.require(rules, () -> beans.containsBean("rateLimitOperationGate")));
		return editions;
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitEngine rateLimitEngine(LimitStore store, RateLimitProperties properties, Editions editions,
			Environment environment, ObjectProvider<DecisionListener> listeners, CallbackThread listenerThread,
			ObjectProvider<DecisionObserver> observers, ObjectProvider<CustomStore> custom, ObjectProvider<Time> time,
			ObjectProvider<MemoryStore> memory, ListableBeanFactory beans, ObjectProvider<WaitQueues.Factory> waiting) {
		AotCheck.requireEnabled(properties);
		AotCheck.requireParts(environment, beans);
		return new RateLimitEngine(editions, stages(store, custom, memory), properties.deadlines(),
				Optional.ofNullable(properties.secret())
					.filter((secret) -> !secret.isEmpty())
					.orElseGet(() -> KeyPrefix.of(properties, environment)),
				idempotency(properties.idempotency()),
				new DecisionObservers(listeners.orderedStream()
					.<DecisionListener>map((listener) -> new BackgroundListener(listener, listenerThread))
					.toList(), observers.orderedStream().toList()),
				time.getIfAvailable(() -> Time.SYSTEM), waiting.getIfAvailable(() -> WaitQueues.Factory.NONE));
	}

	private static LimitStore stages(LimitStore store, ObjectProvider<CustomStore> custom,
			ObjectProvider<MemoryStore> memory) {
		Stream<LimitStore> stages = Stream.concat(custom.stream().map(CustomStore::store),
				memory.stream().map(MemoryStore::first));
		return stages.findFirst().orElse(store);
	}

	@Bean
	CallbackThread rateLimitListenerThread() {
		return new CallbackThread("ratelimit-listeners", MAX_WAITING_DECISIONS);
	}

	@Bean
	ActiveRules.Reference rateLimitActiveRules() {
		return new ActiveRules.Reference();
	}

	@Bean
	RuleLoader rateLimitRuleLoader(RateLimitProperties properties, Editions editions, RateLimitEngine engine,
			ObjectProvider<WebStack> web, ObjectProvider<RequestGate> gate, ObjectProvider<FrontRoutes> others,
			ObjectProvider<MethodGate> methods, ActiveRules.Reference active, ObjectProvider<RuleStart> start,
			ResourceLoader resources, Environment environment, ListableBeanFactory beans) {
		boolean secured = ClassUtils.isPresent("org.springframework.security.core.Authentication",
				resources.getClassLoader());
		return new RuleLoader(properties, editions, web, gate, others, methods, active, secured,
				TestSlice.of(environment, beans), start.getIfAvailable(
						() -> new PlainStart(environment, editions, LogFactory.getLog(RuleLoader.class)::warn)));
	}

	private static IdempotencySettings idempotency(IdempotencyProperties properties) {
		return new IdempotencySettings(properties.ttl(), properties.maxReplays(), properties.maxMarkers());
	}

}
