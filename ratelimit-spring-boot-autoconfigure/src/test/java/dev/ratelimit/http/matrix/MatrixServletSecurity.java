package dev.ratelimit.http.matrix;

import dev.ratelimit.test.PlainPasswords;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Basic authentication.
 */
@Configuration(proxyBeanMethods = false)
@Import(PlainPasswords.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class MatrixServletSecurity {

	@Bean
	UserDetailsService users(Reached reached) {
		return (name) -> {
			reached.of(name).presented();
			return User.withUsername(name).password("{noop}" + Credentials.PASSWORD).roles("USER").build();
		};
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
		http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll());
		return http.build();
	}

	@Bean
	FilterRegistrationBean<Filter> between(Reached reached) {
		FilterRegistrationBean<Filter> between = new FilterRegistrationBean<>((request, response, chain) -> {
			reached.of(((HttpServletRequest) request).getHeader(Reached.CLIENT)).filtered();
			chain.doFilter(request, response);
		});
		between.setName("between");
		between.setOrder(-100);
		return between;
	}

}
