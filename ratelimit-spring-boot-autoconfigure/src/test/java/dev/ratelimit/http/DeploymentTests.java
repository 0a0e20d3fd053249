package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests deployments in which the limiter could be silently disabled.
 */
class DeploymentTests {

	private static final String TOMCAT_MANAGEMENT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void limitsHoldUnderLazyInitialization(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "--spring.main.lazy-initialization=true")) {
			assertThat(http(application).statuses(4, "GET", "/limited")).containsExactly(200, 200, 200, 429);
		}
	}

	@Test
	void limitsHoldBelowAContextPathAndADispatcherPath() {
		try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET,
				"--server.servlet.context-path=/ctx", "--spring.mvc.servlet.path=/sp",
				"--ratelimit.rules.yaml.paths=/sp/elsewhere", "--ratelimit.rules.yaml.limit=2/d")) {
			HttpProbe http = http(application);
			assertThat(http.statuses(4, "GET", "/ctx/sp/limited")).containsExactly(200, 200, 200, 429);
			assertThat(http.statuses(3, "GET", "/ctx/sp/elsewhere")).containsExactly(200, 200, 429);
			assertThat(http.get("/ctx/limited").headers()).doesNotContainKey("RateLimit");
			Reply rejected = http.get("/ctx/sp/limited");
			assertThat(rejected.body()).contains("\"instance\":\"/ctx/sp/limited\"");
		}
	}

	@Test
	void managementUnderTheDispatcherPathIsExempt() {
		try (ConfigurableApplicationContext application = start(WebApplicationType.SERVLET,
				"--spring.mvc.servlet.path=/sp", "--ratelimit.rules.all.paths=/**",
				"--ratelimit.rules.all.limit=1/d")) {
			assertThat(http(application).statuses(3, "GET", "/sp/actuator/health")).containsOnly(200);
			assertThat(http(application).statuses(2, "GET", "/sp/elsewhere")).containsExactly(200, 429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void aManagementPortOfItsOwnIsNeverCounted(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "--management.server.port=0",
				// The test class path contains two servers, but only one of them can
				// serve management.
				"--spring.autoconfigure.exclude=" + TOMCAT_MANAGEMENT, "--ratelimit.rules.all.paths=/**",
				"--ratelimit.rules.all.limit=1/d")) {
			int port = application.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
			assertThat(new HttpProbe(port).statuses(3, "GET", "/actuator/health")).containsOnly(200);
			assertThat(http(application).statuses(2, "GET", "/elsewhere")).containsExactly(200, 429);
		}
	}

	private static HttpProbe http(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, String... properties) {
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.add("--server.port=0");
		arguments.add("--ratelimit.defaults.key=global");
		arguments.add("--ratelimit.defaults.status=429");
		// Spring Data Redis is on the test class path, but no server is running.
		arguments.add("--management.health.redis.enabled=false");
		return new SpringApplicationBuilder(Application.class).web(stack).run(arguments.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ ContractApplication.Limited.class, ContractApplication.Plain.class, ContractServletSecurity.class,
			ContractReactiveSecurity.class })
	static class Application {

	}

}
