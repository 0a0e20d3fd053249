package dev.ratelimit.autoconfigure;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStores;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the guard for a custom
 * {@link LimitStore} of the application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { RateLimitRedisAutoConfiguration.class, RateLimitAutoConfiguration.class },
		afterName = "dev.ratelimit.testing.RateLimitTestAutoConfiguration")
@ConditionalOnClass(StoreStatus.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean(LimitStore.class)
@ConditionalOnMissingBean(value = MemoryLimitStore.class, type = "dev.ratelimit.testing.TestLimitStore")
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitCustomStoreAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitCustomStoreAutoConfiguration.class);

	@Bean
	CustomStore rateLimitCustomStore(LimitStore custom, RateLimitProperties properties, ApplicationContext context,
			Time time, Upkeep upkeep, ObjectProvider<Editions> editions) {
		StoreCheck.requireNone(properties, true);
		CustomStore store = new CustomStore(custom, new StoreStages(properties,
				GuardDefaults.settings(properties, context), context::publishEvent, time, upkeep), time,
				new MaxHold(editions::getObject));
		store.start();
		logger.info("Using the store '" + custom.name() + "' of the application");
		return store;
	}

	@Bean
	HoldingStatus rateLimitHoldingStatus(CustomStore store) {
		return store.holdings();
	}

	@Bean
	MemoryStores rateLimitMemoryStores(CustomStore store) {
		return store.memory();
	}

	@Bean
	StoreStatus rateLimitStoreStatus(CustomStore store) {
		return store.status();
	}

}
