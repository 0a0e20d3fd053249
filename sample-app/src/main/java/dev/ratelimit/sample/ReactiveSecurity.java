package dev.ratelimit.sample;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.HttpStatusServerEntryPoint;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/**
 * Security on the reactive stack, the same as on the servlet stack.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveSecurity {

	/**
	 * Return the factory for Netty. Otherwise, Tomcat would be preferred, which is also
	 * on the class path.
	 */
	@Bean
	NettyReactiveWebServerFactory netty() {
		return new NettyReactiveWebServerFactory();
	}

	@Bean
	MapReactiveUserDetailsService users() {
		return new MapReactiveUserDetailsService(Users.all());
	}

	@Bean
	PasswordEncoder passwords() {
		return Users.PASSWORDS;
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		http.csrf(ServerHttpSecurity.CsrfSpec::disable);
		http.httpBasic(Customizer.withDefaults());
		http.formLogin((login) -> login
			.requiresAuthenticationMatcher(ServerWebExchangeMatchers.pathMatchers(HttpMethod.POST, "/api/login"))
			.authenticationEntryPoint(new HttpStatusServerEntryPoint(HttpStatus.UNAUTHORIZED))
			.authenticationSuccessHandler((exchange, user) -> answer(exchange, HttpStatus.NO_CONTENT))
			.authenticationFailureHandler((exchange, failure) -> answer(exchange, HttpStatus.UNAUTHORIZED)));
		http.exceptionHandling((handling) -> handling
			.authenticationEntryPoint(new HttpStatusServerEntryPoint(HttpStatus.UNAUTHORIZED)));
		http.authorizeExchange(
				(requests) -> requests.pathMatchers(Users.PROTECTED).authenticated().anyExchange().permitAll());
		return http.build();
	}

	private static Mono<Void> answer(WebFilterExchange exchange, HttpStatus status) {
		exchange.getExchange().getResponse().setStatusCode(status);
		return Mono.empty();
	}

}
