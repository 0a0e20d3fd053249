package dev.ratelimit.actuate;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMemoryStoreAutoConfiguration;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.CallSizes;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.CallMetrics;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreMetrics;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.hold.HoldingMetrics;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.lease.LeaseMetrics;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.memory.MemoryStoreMetrics;
import dev.ratelimit.store.memory.MemoryStores;
import dev.ratelimit.store.region.PeerRegions;
import dev.ratelimit.store.region.RegionMetrics;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of the meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitMemoryStoreAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean({ MeterRegistry.class, LimitStore.class })
@Import(RuleTalliesConfiguration.class)
public final class RateLimitMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitMetrics rateLimitMetrics(MeterRegistry meters, LimitStore store, RuleTallies tallies, Editions editions) {
		RateLimitMetrics metrics = new RateLimitMetrics(meters, store.name(), tallies);
		editions.addListener((edition) -> metrics.follow(edition.rules()));
		return metrics;
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnWebApplication
	RequestMetrics rateLimitRequestMetrics(RateLimitEngine engine) {
		return new RequestMetrics(engine.requests());
	}

	@Bean
	@ConditionalOnMissingBean
	RuleSetMetrics rateLimitRuleSetMetrics(Editions editions) {
		return new RuleSetMetrics(editions);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(StoreStatus.class)
	StoreMetrics rateLimitStoreMetrics(StoreStatus status, ObjectProvider<OtherStores> others) {
		return new StoreMetrics(status, others.getIfAvailable(() -> OtherStores.NONE));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(CallSizes.class)
	CallMetrics rateLimitCallMetrics(CallSizes sizes, ObjectProvider<OtherStores> others) {
		return new CallMetrics(sizes, others.getIfAvailable(() -> OtherStores.NONE));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(PeerRegions.class)
	RegionMetrics rateLimitRegionMetrics(PeerRegions regions) {
		return new RegionMetrics(regions);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LeaseStatus.class)
	LeaseMetrics rateLimitLeaseMetrics(LeaseStatus status) {
		return new LeaseMetrics(status);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(HoldingStatus.class)
	HoldingMetrics rateLimitHoldingMetrics(MeterRegistry meters, HoldingStatus status, Editions editions) {
		HoldingMetrics metrics = new HoldingMetrics(meters, status);
		editions.addListener((edition) -> metrics.follow(edition.rules()));
		return metrics;
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(MemoryStores.class)
	MemoryStoreMetrics rateLimitMemoryStoreMetrics(MemoryStores stores) {
		return new MemoryStoreMetrics(stores);
	}

}
