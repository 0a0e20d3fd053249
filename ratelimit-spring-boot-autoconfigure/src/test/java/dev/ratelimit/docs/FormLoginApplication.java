package dev.ratelimit.docs;

import dev.ratelimit.test.PlainPasswords;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * An application whose security configuration has a form login and no Basic
 * authentication. All users may change rules.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ PlainPasswords.class, FormLoginApplication.Servlet.class, FormLoginApplication.Reactive.class })
class FormLoginApplication {

	private static UserDetails user(String name) {
		return User.withUsername(name).password("{noop}secret").authorities("RATELIMIT_WRITE").build();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlet {

		@Bean
		UserDetailsService users() {
			return FormLoginApplication::user;
		}

		@Bean
		SecurityFilterChain application(HttpSecurity http) throws Exception {
			http.formLogin(Customizer.withDefaults());
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/actuator/health", "/actuator/prometheus")
							.permitAll()
							.anyRequest()
							.authenticated())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class Reactive {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.just(user(name));
		}

		@Bean
		SecurityWebFilterChain application(ServerHttpSecurity http) {
			http.formLogin(Customizer.withDefaults());
			return http
				.authorizeExchange((requests) -> requests.pathMatchers("/actuator/health", "/actuator/prometheus")
					.permitAll()
					.anyExchange()
					.authenticated())
				.build();
		}

	}

}
