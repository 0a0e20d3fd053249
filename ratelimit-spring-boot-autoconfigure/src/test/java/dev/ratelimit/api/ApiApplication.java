package dev.ratelimit.api;

import java.util.Map;

import dev.ratelimit.RateLimited;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.test.PlainPasswords;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that permits all requests, so that only the API checks authorities, with
 * a user for each authority.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ApiApplication.OnServlet.class, ApiApplication.OnWebFlux.class, ApiApplication.Charges.class,
		PlainPasswords.class })
class ApiApplication {

	private static final Map<String, String> AUTHORITIES = Map.of("checker", "RATELIMIT_CHECK", "reader",
			"RATELIMIT_READ", "writer", "RATELIMIT_WRITE", "nobody", "ROLE_ADMIN", "sam", "TEAM_SEARCH", "ida",
			"TEAM_IDENTITY");

	static ConfigurableApplicationContext start(WebApplicationType type, String... properties) {
		return builder(type)
			.initializers((GenericApplicationContext context) -> context.registerBean(MemoryRuleSource.class))
			.run(properties);
	}

	static ConfigurableApplicationContext startWithoutSource(WebApplicationType type, String... properties) {
		return builder(type).run(properties);
	}

	private static SpringApplicationBuilder builder(WebApplicationType type) {
		return new SpringApplicationBuilder(ApiApplication.class).web(type)
			.properties("server.port=0", "spring.main.banner-mode=off", "ratelimit.api.enabled=true");
	}

	private static UserDetails user(String name) {
		String[] authorities = (name.equals("fuzz"))
				? new String[] { "RATELIMIT_CHECK", "RATELIMIT_READ", "RATELIMIT_WRITE" }
				: new String[] { AUTHORITIES.get(name) };
		return User.withUsername(name).password("{noop}secret").authorities(authorities).build();
	}

	@RestController
	static class Charges {

		@GetMapping("/routes/{id}")
		String route() {
			return "route";
		}

		@RateLimited(id = "chosen", value = "10/h", key = "ip")
		@GetMapping(path = "/chosen", params = "action=refund")
		String chosen() {
			return "chosen";
		}

		@RateLimited(id = "forms", value = "10/h", key = { "ip", "route" })
		@GetMapping("/forms/{id}")
		String form() {
			return "form";
		}

		@GetMapping("/v1/charges")
		String charges() {
			return "charged";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class OnServlet {

		@Bean
		UserDetailsService users() {
			return ApiApplication::user;
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
			http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll());
			return http.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class OnWebFlux {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.just(user(name));
		}

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
			http.authorizeExchange((requests) -> requests.anyExchange().permitAll());
			return http.build();
		}

	}

}
