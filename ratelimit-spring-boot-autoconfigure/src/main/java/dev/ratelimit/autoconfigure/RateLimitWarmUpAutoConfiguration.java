package dev.ratelimit.autoconfigure;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.GuardedLimitStore;
import io.lettuce.core.RedisClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the calls of Redis before the
 * application is ready: a self-test of the rules, and a warm-up.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ RedisClient.class, GuardedLimitStore.class })
@ConditionalOnBean(RedisStore.class)
public final class RateLimitWarmUpAutoConfiguration {

	@Bean
	RuleFailures rateLimitRuleFailures(RedisStore store) {
		return store.failures();
	}

	@Bean
	RuleSelfTest rateLimitRuleSelfTest(RedisStore store, Editions editions, RateLimitProperties properties,
			Upkeep upkeep) {
		RuleSelfTest test = new RuleSelfTest(store::check, store.failures(), properties.circuit().probeInterval(),
				upkeep);
		editions.addListener((edition) -> test.follow(edition.compiled().values()));
		return test;
	}

	@Bean
	WarmUpLifecycle rateLimitWarmUpLifecycle(RedisStore store, RuleSelfTest selfTest, RateLimitProperties properties) {
		return new WarmUpLifecycle(store, selfTest, properties.warmUp());
	}

}
