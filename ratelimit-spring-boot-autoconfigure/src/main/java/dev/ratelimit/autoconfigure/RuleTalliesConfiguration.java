package dev.ratelimit.autoconfigure;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.telemetry.RuleTallies;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Counts of requests by rule. Each auto-configuration of something that shows them
 * imports it.
 */
@Configuration(proxyBeanMethods = false)
final class RuleTalliesConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RuleTallies rateLimitRuleTallies(Editions editions) {
		RuleTallies tallies = new RuleTallies();
		editions.addListener((edition) -> tallies.follow(edition.rules()));
		return tallies;
	}

}
