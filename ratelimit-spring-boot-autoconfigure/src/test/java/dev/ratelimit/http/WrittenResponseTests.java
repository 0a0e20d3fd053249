package dev.ratelimit.http;

import java.io.IOException;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the rejection of a request whose handler has already used the writer of the
 * response. Tomcat then permits no bytes, and the writer may have another encoding.
 */
class WrittenResponseTests {

	@Test
	void theHandlerIsRejectedAsOthers() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.export.limit=1/h",
					"--ratelimit.rules.export.programmatic=true")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(http.send("GET", "/export").body()).isEqualTo("first");
			Reply rejected = http.send("GET", "/export");
			assertThat(rejected.statusCode()).isEqualTo(429);
			assertThat(rejected.body()).startsWith("{\"type\":").endsWith("}");
			assertThat(rejected.header("Content-Type")).isEqualTo("application/problem+json");
			assertThat(rejected.header("Retry-After")).isNotNull();
			assertThat(rejected.header("X-Export")).as("of the handler").isEqualTo("orders");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ExportController.class)
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

	}

	@RestController
	static class ExportController {

		private final RateLimiter limiter;

		ExportController(RateLimiter limiter) {
			this.limiter = limiter;
		}

		@GetMapping("/export")
		void export(HttpServletResponse response) throws IOException {
			response.setHeader("X-Export", "orders");
			response.getWriter().write("first");
			Decision decision = this.limiter.acquireBlocking("export", "global");
			if (!decision.allowed()) {
				throw new RateLimitExceededException(decision);
			}
		}

	}

}
