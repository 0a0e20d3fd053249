package dev.ratelimit.actuate;

import dev.ratelimit.engine.Editions;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: counts of requests by rule. Imported by each auto-configuration of a
 * component that shows them.
 */
@Configuration(proxyBeanMethods = false)
public final class RuleTalliesConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RuleTallies rateLimitRuleTallies(Editions editions) {
		RuleTallies tallies = new RuleTallies();
		editions.addListener((edition) -> tallies.follow(edition.rules()));
		return tallies;
	}

}
