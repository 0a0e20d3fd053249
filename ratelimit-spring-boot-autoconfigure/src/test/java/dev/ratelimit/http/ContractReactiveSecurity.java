package dev.ratelimit.http;

import dev.ratelimit.test.PlainPasswords;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

@Configuration(proxyBeanMethods = false)
@Import(PlainPasswords.class)
@EnableWebFluxSecurity
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ContractReactiveSecurity {

	@Bean
	NettyReactiveWebServerFactory netty() {
		return new NettyReactiveWebServerFactory();
	}

	@Bean
	ReactiveUserDetailsService users() {
		return (name) -> Mono
			.just(User.withUsername(name).password("{noop}secret").roles(ContractApplication.role(name)).build());
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
		http.authorizeExchange(
				(requests) -> requests.pathMatchers("/secured/**").authenticated().anyExchange().permitAll());
		return http.build();
	}

}
