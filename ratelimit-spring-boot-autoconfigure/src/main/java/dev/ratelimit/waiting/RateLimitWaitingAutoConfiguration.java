package dev.ratelimit.waiting;

import dev.ratelimit.autoconfigure.HeldRequestsLifecycle;
import dev.ratelimit.autoconfigure.InstanceCount;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.Upkeep;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} of the queues of waiting requests.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaitingProperties.class)
public final class RateLimitWaitingAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitEngine.class)
	static class Queues {

		@Bean
		FairWaitQueueFactory rateLimitFairWaitQueueFactory(WaitingProperties properties,
				ObjectProvider<InstanceCount> instances, Upkeep upkeep) {
			InstanceCount count = instances.getIfAvailable(() -> () -> 1);
			return new FairWaitQueueFactory(new WaitSettings(properties.maxWaiting(), count::get,
					(delay, task) -> upkeep.once(delay, "Requests that wait could not be tried", task)::cancel));
		}

		@Bean
		HeldRequestsLifecycle rateLimitWaitLifecycle(RateLimitEngine engine) {
			return new HeldRequestsLifecycle(engine.queues()::open, engine.queues()::close);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ RateLimitEngine.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		WaitMetrics rateLimitWaitMetrics(FairWaitQueueFactory queues, ObjectProvider<RateLimitEngine> engine,
				Editions editions) {
			return new WaitMetrics(queues, () -> engine.stream().mapToInt((one) -> one.queues().waiting()).sum(),
					editions);
		}

	}

}
