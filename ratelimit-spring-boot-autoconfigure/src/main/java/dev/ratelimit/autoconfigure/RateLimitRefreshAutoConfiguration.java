package dev.ratelimit.autoconfigure;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.EffectiveRules;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of rules in properties that Spring Cloud
 * refreshes.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
		RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnClass(name = EnvironmentRules.EVENT)
@ConditionalOnBean(RateLimitEngine.class)
@Import(LiveRulesConfiguration.class)
public final class RateLimitRefreshAutoConfiguration {

	@Bean
	EnvironmentRules rateLimitEnvironmentRules(Environment environment, EffectiveRules rules,
			RateLimitProperties properties, ListableBeanFactory beans) {
		return new EnvironmentRules(environment, rules, properties, PropertyGroups.of(beans));
	}

}
