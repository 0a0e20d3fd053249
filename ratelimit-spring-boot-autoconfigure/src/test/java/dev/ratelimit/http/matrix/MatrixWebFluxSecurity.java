package dev.ratelimit.http.matrix;

import dev.ratelimit.test.PlainPasswords;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.WebFilter;

/**
 * Basic authentication.
 */
@Configuration(proxyBeanMethods = false)
@Import(PlainPasswords.class)
@EnableWebFluxSecurity
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class MatrixWebFluxSecurity {

	@Bean
	ReactiveUserDetailsService users(Reached reached) {
		return (name) -> Mono.fromSupplier(() -> {
			reached.of(name).presented();
			return User.withUsername(name).password("{noop}" + Credentials.PASSWORD).roles("USER").build();
		});
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
		http.authorizeExchange((requests) -> requests.anyExchange().permitAll());
		return http.build();
	}

	@Bean
	@Order(-100)
	WebFilter between(Reached reached) {
		return (exchange, chain) -> {
			reached.of(exchange.getRequest().getHeaders().getFirst(Reached.CLIENT)).filtered();
			return chain.filter(exchange);
		};
	}

}
