package dev.ratelimit.http;

import dev.ratelimit.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application with two handler mappings. The first one serves requests that
 * match both, although the pattern of the second one is more specific.
 */
class MappingOrderHttpTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void rulesAreThoseOfTheMappingThatComesFirst(WebApplicationType stack) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(http.get("/things/a").body()).isEqualTo("first a");
			assertThat(http.statuses(2, "GET", "/things/a")).containsExactly(200, 429);
			assertThat(http.statuses(3, "GET", "/others/a")).containsOnly(200);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ First.class, Second.class, ServletMappings.class, ReactiveMappings.class, ContractServletSecurity.class,
			ContractReactiveSecurity.class })
	static class Application {

	}

	@RestController
	static class First {

		@RateLimited(value = "2/d", key = "ip")
		@GetMapping("/things/{id}")
		String thing(@PathVariable String id) {
			return "first " + id;
		}

		@GetMapping("/others/{id}")
		String other(@PathVariable String id) {
			return "first " + id;
		}

	}

	@RestController
	static class Second {

		@GetMapping("/things/a")
		String thing() {
			return "second";
		}

		@RateLimited(value = "1/d", key = "ip")
		@GetMapping("/others/a")
		String other() {
			return "second";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletMappings {

		@Bean
		RequestMappingHandlerMapping firstMapping() {
			RequestMappingHandlerMapping first = new RequestMappingHandlerMapping() {

				@Override
				protected boolean isHandler(Class<?> type) {
					return type == First.class;
				}

			};
			first.setOrder(-1);
			return first;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveMappings {

		@Bean
		org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping firstMapping() {
			var first = new org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping() {

				@Override
				protected boolean isHandler(Class<?> type) {
					return type == First.class;
				}

			};
			first.setOrder(-1);
			return first;
		}

	}

}
