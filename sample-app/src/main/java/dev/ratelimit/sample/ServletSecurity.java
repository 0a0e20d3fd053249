package dev.ratelimit.sample;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;

/**
 * Security on the servlet stack. The login is processed inside the filter chain.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletSecurity {

	@Bean
	UserDetailsService users() {
		return new InMemoryUserDetailsManager(Users.all());
	}

	@Bean
	PasswordEncoder passwords() {
		return Users.PASSWORDS;
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		http.csrf(AbstractHttpConfigurer::disable);
		http.httpBasic(Customizer.withDefaults());
		http.formLogin((login) -> login.loginProcessingUrl("/api/login")
			.successHandler((request, response, user) -> response.setStatus(HttpStatus.NO_CONTENT.value()))
			.failureHandler((request, response, failure) -> response.setStatus(HttpStatus.UNAUTHORIZED.value())));
		http.exceptionHandling(
				(handling) -> handling.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)));
		http.authorizeHttpRequests(
				(requests) -> requests.requestMatchers(Users.PROTECTED).authenticated().anyRequest().permitAll());
		return http.build();
	}

}
