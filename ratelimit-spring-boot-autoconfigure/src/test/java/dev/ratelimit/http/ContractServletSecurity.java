package dev.ratelimit.http;

import dev.ratelimit.test.PlainPasswords;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
@Import(PlainPasswords.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ContractServletSecurity {

	@Bean
	UserDetailsService users() {
		return (name) -> User.withUsername(name).password("{noop}secret").roles(ContractApplication.role(name)).build();
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
		http.authorizeHttpRequests(
				(requests) -> requests.requestMatchers("/secured/**").authenticated().anyRequest().permitAll());
		return http.build();
	}

}
