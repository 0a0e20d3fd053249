package dev.ratelimit.autoconfigure;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import jakarta.servlet.DispatcherType;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that responses have the configured fields, on both stacks and in both phases. The
 * fields depend on the header fields that Spring Security sets when the response is
 * committed.
 */
class ConfiguredHeadersTests {

	private static final String[] PROPERTIES = { "ratelimit.headers.on-success=when-private",
			"ratelimit.headers.names.limit=X-Quota", "ratelimit.headers.bucket=true",
			"ratelimit.headers.partition-keys=true", "ratelimit.secret=hard to guess",
			"spring.security.user.password=secret", "ratelimit.rules.early.paths=/early/**",
			"ratelimit.rules.early.limit=9/d", "ratelimit.rules.early.key=ip", "ratelimit.rules.late.paths=/late/**",
			"ratelimit.rules.late.limit=9/d", "ratelimit.rules.late.key=user" };

	private static final String PARTITIONED = "\"(early|late)\";.*;pk=:[A-Za-z0-9+/]{16}:";

	@Test
	void isToldOnServlet() {
		EnableAuto.servlet().withUserConfiguration(Handlers.class).withPropertyValues(PROPERTIES).run((context) -> {
			MockMvcTester mvc = MockMvcTester.create(mvc(context));
			for (String phase : List.of("/early", "/late")) {
				assertThat(get(mvc, phase + "/plain")).hasStatusOk()
					.hasHeader("X-Quota", "9")
					.hasHeader("X-RateLimit-Bucket", phase.substring(1))
					.headers()
					.hasHeaderSatisfying("RateLimit", (values) -> assertThat(values.get(0)).matches(PARTITIONED))
					.hasHeaderSatisfying("RateLimit-Policy",
							(values) -> assertThat(values.get(0)).matches(PARTITIONED));
				assertThat(get(mvc, phase + "/shared")).hasStatusOk()
					.doesNotContainHeader("RateLimit")
					.doesNotContainHeader("X-Quota");
			}
			assertThat(mvc.get().uri("/early/plain")).hasStatus(401).containsHeader("RateLimit");
		});
	}

	@Test
	void isToldOnWebFlux() {
		EnableAuto.reactive().withUserConfiguration(Handlers.class).withPropertyValues(PROPERTIES).run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			for (String phase : List.of("/early", "/late")) {
				get(client, phase + "/plain").expectStatus()
					.isOk()
					.expectHeader()
					.valueEquals("X-Quota", "9")
					.expectHeader()
					.valueEquals("X-RateLimit-Bucket", phase.substring(1))
					.expectHeader()
					.valueMatches("RateLimit", PARTITIONED)
					.expectHeader()
					.valueMatches("RateLimit-Policy", PARTITIONED);
				get(client, phase + "/shared").expectStatus()
					.isOk()
					.expectHeader()
					.doesNotExist("RateLimit")
					.expectHeader()
					.doesNotExist("X-Quota");
			}
			client.get()
				.uri("/early/plain")
				.exchange()
				.expectStatus()
				.isUnauthorized()
				.expectHeader()
				.exists("RateLimit");
		});
	}

	private static MvcTestResult get(MockMvcTester mvc, String path) {
		return mvc.get().uri(path).headers((headers) -> headers.setBasicAuth("user", "secret")).exchange();
	}

	private static WebTestClient.ResponseSpec get(WebTestClient client, String path) {
		return client.get().uri(path).headers((headers) -> headers.setBasicAuth("user", "secret")).exchange();
	}

	// Add the filters by name, as a server does.
	private static MockMvc mvc(WebApplicationContext context) {
		DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup(context);
		context.getBeanProvider(ServletContextInitializer.class)
			.orderedStream()
			.filter(AbstractFilterRegistrationBean.class::isInstance)
			.map((registration) -> (AbstractFilterRegistrationBean<?>) registration)
			.forEach((registration) -> builder.addFilter(registration.getFilter(), registration.getFilterName(),
					Map.of(), EnumSet.of(DispatcherType.REQUEST), "/*"));
		return builder.build();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Controller.class)
	static class Handlers {

	}

	@RestController
	static class Controller {

		@GetMapping({ "/early/plain", "/late/plain" })
		String plain() {
			return "plain";
		}

		@GetMapping({ "/early/shared", "/late/shared" })
		ResponseEntity<String> shared() {
			return ResponseEntity.ok().cacheControl(CacheControl.empty().cachePublic()).body("shared");
		}

	}

}
