package dev.ratelimit.sample;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/**
 * Requires an authenticated user for the live page, its endpoints, and the API, as on the
 * servlet stack.
 */
@Configuration(proxyBeanMethods = false)
@Profile("fleet")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class FleetReactiveSecurity {

	@Bean
	@Order(1)
	SecurityWebFilterChain operators(ServerHttpSecurity http) {
		http.securityMatcher(ServerWebExchangeMatchers.pathMatchers(Users.OPERATED));
		http.csrf(ServerHttpSecurity.CsrfSpec::disable);
		http.httpBasic(Customizer.withDefaults());
		http.authorizeExchange((requests) -> requests.anyExchange().authenticated());
		return http.build();
	}

}
