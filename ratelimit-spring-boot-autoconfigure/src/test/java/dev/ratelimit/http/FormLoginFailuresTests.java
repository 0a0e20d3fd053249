package dev.ratelimit.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationEntryPointFailureHandler;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.HttpStatusServerEntryPoint;
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests form logins of Spring Security that respond to failures with 401, as configured
 * on the documentation page about logins. Wrong passwords count, and correct ones do not.
 */
class FormLoginFailuresTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void onlyWrongPasswordsCount(WebApplicationType stack) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory", "--spring.security.user.name=alice",
					"--spring.security.user.password=correct", "--ratelimit.rules.login.paths=/login",
					"--ratelimit.rules.login.methods=POST", "--ratelimit.rules.login.key=ip",
					"--ratelimit.rules.login.limit=2/15min", "--ratelimit.rules.login.count-only.status=401")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(login(http, "correct")).isEqualTo(302);
			assertThat(login(http, "wrong")).isEqualTo(401);
			assertThat(login(http, "correct")).isEqualTo(302);
			assertThat(login(http, "wrong")).isEqualTo(401);
			assertThat(login(http, "wrong")).isEqualTo(429);
		}
	}

	private static int login(HttpProbe http, String password) {
		return http
			.send("POST", "/login", "username=alice&password=" + password,
					new String[] { "Content-Type", "application/x-www-form-urlencoded" })
			.statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = Type.SERVLET)
		static class OnServlet {

			@Bean
			SecurityFilterChain security(HttpSecurity http) throws Exception {
				return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
					.csrf((csrf) -> csrf.disable())
					.formLogin((form) -> form.failureHandler(new AuthenticationEntryPointFailureHandler(
							new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED))))
					.build();
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = Type.REACTIVE)
		static class OnWebFlux {

			@Bean
			SecurityWebFilterChain security(ServerHttpSecurity http) {
				return http.authorizeExchange((requests) -> requests.anyExchange().authenticated())
					.csrf(CsrfSpec::disable)
					.formLogin((form) -> form
						.authenticationFailureHandler(new ServerAuthenticationEntryPointFailureHandler(
								new HttpStatusServerEntryPoint(HttpStatus.UNAUTHORIZED))))
					.build();
			}

		}

	}

}
