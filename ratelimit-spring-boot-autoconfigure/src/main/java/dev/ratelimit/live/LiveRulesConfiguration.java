package dev.ratelimit.live;

import dev.ratelimit.autoconfigure.BoundRuleReader;
import dev.ratelimit.autoconfigure.RuleLoader;
import dev.ratelimit.autoconfigure.RuleStart;
import dev.ratelimit.base.FailureStatus;
import dev.ratelimit.base.InstanceName;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleReader;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Internal: the beans of all features that change rules while the application runs. Each
 * auto-configuration of such a feature imports it. These auto-configurations are ordered
 * after those of the web, because Spring evaluates the conditions of all importers when
 * it loads the first one.
 */
@Configuration(proxyBeanMethods = false)
public final class LiveRulesConfiguration {

	@Bean
	RuleReader rateLimitRuleReader() {
		return new BoundRuleReader();
	}

	@Bean
	RuleWarnings rateLimitRuleWarnings() {
		return new RuleWarnings(LogFactory.getLog(RuleLoader.class)::warn);
	}

	@Bean
	@ConditionalOnMissingBean
	EffectiveRules rateLimitEffectiveRules(Editions editions, RuleReader reader, RuleWarnings warnings) {
		return new EffectiveRules(editions, reader, warnings);
	}

	@Bean
	FailureStatus<RuleSourceException> rateLimitRuleSourceFailure() {
		return new FailureStatus<>(RuleSourceException.class, 503,
				(failure) -> "the source of live rules is unavailable: " + failure.getMessage());
	}

	@Bean
	InstanceName rateLimitInstanceName() {
		return InstanceName.random();
	}

	@Bean
	LiveThread rateLimitLiveThread() {
		return new LiveThread();
	}

	@Bean
	RuleStart rateLimitRuleStart(Environment environment, EffectiveRules rules, RuleWarnings warnings,
			ObjectProvider<LiveRules> live) {
		return new LiveStart(environment, rules, warnings, live);
	}

}
