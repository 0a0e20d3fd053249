package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests to actuator endpoints are exempt, and that other requests below the
 * same path are not.
 */
class ManagementExemptionTests {

	private static final String TOMCAT_MANAGEMENT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void applicationPathBelowEndpointIsLimited(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.all.paths=/**");
		assertThat(http().statuses(3, "GET", "/actuator/info/own")).containsExactly(200, 429, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void actuatorEndpointsAreNotLimited(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.all.paths=/**",
				"--management.endpoint.health.probes.add-additional-paths=true");
		for (String path : List.of("/actuator", "/actuator/health", "/actuator/health/ping", "/livez", "/readyz",
				"/actuator/ratelimit", "/actuator/ratelimit/all/ip:::1", "/actuator/info")) {
			assertThat(http().statuses(2, "GET", path)).as(path).containsOnly(200);
		}
		assertThat(http().statuses(2, "GET", "/own")).containsExactly(200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void besideAManagementPortOnlyAdditionalHealthPathsAreExempt(WebApplicationType stack) {
		start(stack, "--management.server.port=0", "--spring.autoconfigure.exclude=" + TOMCAT_MANAGEMENT,
				"--management.endpoint.health.probes.add-additional-paths=true", "--ratelimit.rules.all.paths=/**");
		assertThat(http().statuses(3, "GET", "/livez")).containsOnly(200);
		assertThat(http().statuses(2, "GET", "/actuator/metrics")).containsExactly(200, 429);
		assertThat(http().get("/actuator/health").statusCode()).isEqualTo(429);
		assertThat(management().statuses(3, "GET", "/actuator/info")).containsOnly(200);
		assertThat(management().statuses(3, "GET", "/actuator/health/ping")).containsOnly(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void deniedAddressesReachHealthAlone(WebApplicationType stack) {
		start(stack, "--ratelimit.deny=127.0.0.0/8,::1",
				"--management.endpoint.health.probes.add-additional-paths=true");
		for (String path : List.of("/actuator/health", "/actuator/health/ping", "/livez", "/readyz")) {
			assertThat(http().get(path).statusCode()).as(path).isEqualTo(200);
		}
		for (String path : List.of("/own", "/actuator", "/actuator/ratelimit", "/actuator/info", "/actuator/healthy")) {
			assertThat(http().get(path).statusCode()).as(path).isEqualTo(403);
		}
		assertThat(
				http().send("OPTIONS", "/own", "Origin", "https://page.example", "Access-Control-Request-Method", "GET")
					.statusCode())
			.isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void managementPortRejectsNoAddress(WebApplicationType stack) {
		start(stack, "--management.server.port=0", "--spring.autoconfigure.exclude=" + TOMCAT_MANAGEMENT,
				"--ratelimit.deny=127.0.0.0/8,::1");
		assertThat(management().get("/actuator/ratelimit").statusCode()).isEqualTo(200);
		assertThat(http().get("/own").statusCode()).isEqualTo(403);
	}

	private void start(WebApplicationType stack, String... properties) {
		this.context.close();
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.addAll(List.of("--server.port=0", "--ratelimit.rules.all.limit=1/d", "--ratelimit.rules.all.key=ip",
				"--management.endpoints.web.exposure.include=*", "--management.endpoint.health.show-details=always",
				"--management.health.redis.enabled=false"));
		if (arguments.stream().noneMatch((argument) -> argument.startsWith("--ratelimit.rules.all.paths"))) {
			arguments.add("--ratelimit.rules.all.paths=/nowhere");
		}
		this.context = new SpringApplicationBuilder(Plain.class).web(stack).run(arguments.toArray(String[]::new));
	}

	private HttpProbe http() {
		return probe("local.server.port");
	}

	private HttpProbe management() {
		return probe("local.management.port");
	}

	private HttpProbe probe(String port) {
		return new HttpProbe(this.context.getEnvironment().getRequiredProperty(port, Integer.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
	static class Plain {

	}

	@RestController
	static class Handlers {

		@GetMapping({ "/own", "/actuator/info/own", "/actuator/metrics" })
		String own() {
			return "own";
		}

	}

}
