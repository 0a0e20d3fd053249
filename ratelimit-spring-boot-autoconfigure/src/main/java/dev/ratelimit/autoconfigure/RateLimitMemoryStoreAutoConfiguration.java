package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStores;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the renewal of slots in memory.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean({ MemoryLimitStore.class, Upkeep.class, Time.class })
public final class RateLimitMemoryStoreAutoConfiguration {

	@Bean
	MemoryStore rateLimitMemoryStore(MemoryLimitStore memory, Time time, Upkeep upkeep,
			ObjectProvider<Editions> editions) {
		return new MemoryStore(new HeldLimitStore(memory, new MaxHold(editions::getObject), time, upkeep));
	}

	@Bean
	MemoryStores rateLimitMemoryStores(MemoryLimitStore memory) {
		return new MemoryStores(List.of(memory));
	}

	@Bean
	HoldingStatus rateLimitHoldingStatus(MemoryStore store) {
		return store.holdings();
	}

}
