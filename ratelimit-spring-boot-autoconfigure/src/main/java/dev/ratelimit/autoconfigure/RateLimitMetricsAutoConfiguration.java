package dev.ratelimit.autoconfigure;

import java.util.Optional;

import dev.ratelimit.actuate.RateLimitMetrics;
import dev.ratelimit.actuate.RuleSetMetrics;
import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.actuate.RuleTalliesConfiguration;
import dev.ratelimit.candidate.CandidateMetrics;
import dev.ratelimit.candidate.LiveCandidate;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.LiveMetrics;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.Switches;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.LoadMetrics;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.StoreMetrics;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.hold.HoldingMetrics;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.lease.LeaseMetrics;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStoreMetrics;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} of the meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		after = { RateLimitAutoConfiguration.class, RateLimitMemoryStoreAutoConfiguration.class,
				RateLimitLiveAutoConfiguration.class, RateLimitLiveEndpointAutoConfiguration.class,
				RateLimitServletAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class },
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
	RuleSetMetrics rateLimitRuleSetMetrics(Editions editions) {
		return new RuleSetMetrics(editions);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(StoreStatus.class)
	StoreMetrics rateLimitStoreMetrics(StoreStatus status) {
		return new StoreMetrics(status);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LeaseStatus.class)
	LeaseMetrics rateLimitLeaseMetrics(LeaseStatus status) {
		return new LeaseMetrics(status);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LoadGuard.class)
	LoadMetrics rateLimitLoadMetrics(LoadGuard guard) {
		return new LoadMetrics(guard);
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
	@ConditionalOnBean(MemoryLimitStore.class)
	MemoryStoreMetrics rateLimitMemoryStoreMetrics(MemoryLimitStore store) {
		return new MemoryStoreMetrics(store);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Switches.class)
	LiveMetrics rateLimitLiveMetrics(ObjectProvider<LiveRules> rules, Switches switches) {
		return new LiveMetrics(rules.stream().findFirst(), Optional.of(switches));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LiveCandidate.class)
	CandidateMetrics rateLimitCandidateMetrics(LiveCandidate candidate) {
		return new CandidateMetrics(candidate);
	}

}
