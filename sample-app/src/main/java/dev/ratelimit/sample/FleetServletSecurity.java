package dev.ratelimit.sample;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Requires an authenticated user for the live page, its endpoints, and the API. The
 * endpoints protect themselves against requests of other sites: they accept only JSON.
 */
@Configuration(proxyBeanMethods = false)
@Profile("fleet")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class FleetServletSecurity {

	@Bean
	@Order(1)
	SecurityFilterChain operators(HttpSecurity http) throws Exception {
		http.securityMatcher(Users.OPERATED);
		http.csrf(AbstractHttpConfigurer::disable);
		http.httpBasic(Customizer.withDefaults());
		http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated());
		return http.build();
	}

}
