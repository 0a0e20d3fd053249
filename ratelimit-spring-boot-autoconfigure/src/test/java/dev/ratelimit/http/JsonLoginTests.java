package dev.ratelimit.http;

import java.util.Locale;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Subject;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the login with a JSON body of the documentation page about logins: wrong
 * passwords of an account count, in all spellings of its name, and correct ones do not.
 */
class JsonLoginTests {

	@Test
	void onlyWrongPasswordsCount() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.json-login.limit=2/15min",
					"--ratelimit.rules.json-login.failure=closed", "--ratelimit.rules.json-login.programmatic=true")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(login(http, "alice", "correct")).isEqualTo(200);
			assertThat(login(http, "alice", "wrong")).isEqualTo(401);
			assertThat(login(http, "alice", "correct")).isEqualTo(200);
			assertThat(login(http, " Alice", "wrong")).isEqualTo(401);
			assertThat(login(http, "alice", "wrong")).isEqualTo(429);
			assertThat(login(http, "bob", "wrong")).isEqualTo(401);
		}
	}

	private static int login(HttpProbe http, String username, String password) {
		return http
			.send("POST", "/api/login", "{\"username\":\"" + username + "\",\"password\":\"" + password + "\"}",
					new String[] { "Content-Type", "application/json" })
			.statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(JsonLoginController.class)
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		AuthenticationManager authentication() {
			return new ProviderManager(new DaoAuthenticationProvider(
					new InMemoryUserDetailsManager(User.withUsername("alice").password("{noop}correct").build())));
		}

	}

	@RestController
	static class JsonLoginController {

		private final RateLimiter limiter;

		private final AuthenticationManager authentication;

		JsonLoginController(RateLimiter limiter, AuthenticationManager authentication) {
			this.limiter = limiter;
			this.authentication = authentication;
		}

		@PostMapping("/api/login")
		ResponseEntity<String> login(@RequestBody Login login) {
			String account = login.username().strip().toLowerCase(Locale.ROOT);
			Decision decision = this.limiter.acquireBlocking("json-login", Subject.of("account", account));
			if (!decision.allowed()) {
				throw new RateLimitExceededException(decision);
			}
			try {
				this.authentication.authenticate(
						UsernamePasswordAuthenticationToken.unauthenticated(login.username(), login.password()));
			}
			catch (AuthenticationException ex) {
				return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
			}
			decision.reservation().cancel();
			return ResponseEntity.ok("welcome");
		}

		record Login(String username, String password) {
		}

	}

}
