package dev.ratelimit.record;

import dev.ratelimit.RateLimited;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.test.PlainPasswords;
import dev.ratelimit.testing.RateLimitTestAutoConfiguration;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
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
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with rules of many kinds and a clock that stands still.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ImportAutoConfiguration(RateLimitTestAutoConfiguration.class)
@Import({ RecordApplication.Handlers.class, RecordApplication.Servlet.class, RecordApplication.Reactive.class })
class RecordApplication {

	@Bean
	MemoryRuleSource source() {
		return new MemoryRuleSource();
	}

	private static UserDetails user(String name) {
		return User.withUsername(name)
			.password("{noop}secret")
			.authorities((name.equals("alice"))
					? new String[] { "RATELIMIT_READ", "RATELIMIT_CHECK", "RATELIMIT_OPERATE", "RATELIMIT_WRITE" }
					: new String[] { "PLAN_paid" })
			.build();
	}

	@RestController
	static class Handlers {

		@GetMapping("/r/{what}")
		String found(@PathVariable String what) {
			return what;
		}

		@PostMapping("/r/{what}")
		String posted(@PathVariable String what) {
			return what;
		}

		@GetMapping("/r/missing")
		@ResponseStatus(HttpStatus.NOT_FOUND)
		String missing() {
			return "missing";
		}

		@RateLimited("2/d")
		@GetMapping("/annotated")
		String annotated() {
			return "annotated";
		}

		@RateLimited.Exempt
		@GetMapping("/exempt")
		String exempt() {
			return "exempt";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PlainPasswords.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlet {

		@Bean
		UserDetailsService users() {
			return RecordApplication::user;
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PlainPasswords.class)
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
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
			return http.authorizeExchange((requests) -> requests.anyExchange().permitAll()).build();
		}

	}

}
