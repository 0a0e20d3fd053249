package dev.ratelimit.actuate;

import java.util.List;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.RateLimitHealthIndicator;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.region.PeerRegions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the limiter's health.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(LimitStore.class)
@ConditionalOnEnabledHealthIndicator("ratelimit")
public final class RateLimitHealthAutoConfiguration {

	@Bean
	@ConditionalOnBean(PeerRegions.class)
	HealthPart rateLimitRegionHealth(PeerRegions regions) {
		return (health) -> {
			health.withDetail("peers", regions.description());
			return regions.problem();
		};
	}

	@Bean
	@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
	HealthIndicator ratelimitHealthIndicator(LimitStore store, ObjectProvider<StoreStatus> status,
			ObjectProvider<RuleFailures> failures, ObjectProvider<OtherStores> others,
			ObjectProvider<HealthPart> parts) {
		HealthIndicator limiter = status.stream()
			.findFirst()
			.<HealthIndicator>map((guarded) -> new RateLimitHealthIndicator(guarded,
					failures.getIfAvailable(() -> new RuleFailures(Time.SYSTEM)),
					others.getIfAvailable(() -> OtherStores.NONE)))
			.orElse(() -> Health.up().withDetail("store", store.name()).build());
		List<HealthPart> added = parts.orderedStream().toList();
		return (added.isEmpty()) ? limiter : new LimiterHealth(limiter, added);
	}

}
