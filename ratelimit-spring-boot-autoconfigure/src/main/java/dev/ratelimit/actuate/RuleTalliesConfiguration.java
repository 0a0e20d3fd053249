package dev.ratelimit.actuate;

import dev.ratelimit.engine.Editions;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Internal: counts of requests by rule. Each auto-configuration of something that shows
 * them imports it.
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
