package dev.ratelimit.autoconfigure;

import java.util.stream.Stream;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.actuate.ManagementExemptionAutoConfiguration;
import dev.ratelimit.actuate.RateLimitEndpoint;
import dev.ratelimit.actuate.RateLimitEndpointAutoConfiguration;
import dev.ratelimit.actuate.RateLimitHealthAutoConfiguration;
import dev.ratelimit.actuate.RateLimitMetrics;
import dev.ratelimit.actuate.RateLimitMetricsAutoConfiguration;
import dev.ratelimit.client.RateLimitClientAutoConfiguration;
import dev.ratelimit.doctor.RateLimitDoctorAutoConfiguration;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.guard.RateLimitHealthIndicator;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.RateLimitRedisConnectionAutoConfiguration;
import dev.ratelimit.telemetry.RateLimitTelemetryAutoConfiguration;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;
import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class AbsentLibrariesTests {

	// The registry exists once per JVM. If a class loader without Spring Security used it
	// first, it would remain unusable.
	@BeforeAll
	static void loadTheRegistryWithAllLibraries() {
		assertThat(ContextRegistry.getInstance().getThreadLocalAccessors()).isNotEmpty();
	}

	private static final String[] PROPERTIES = { EnableAuto.RULE, EnableAuto.PATHS,
			"management.endpoints.web.exposure.include=*" };

	private static final String MICROMETER = "io.micrometer";

	private static final String ACTUATOR = "org.springframework.boot.actuate";

	private static final String HEALTH = "org.springframework.boot.health";

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withUserConfiguration(Ours.class)
		.withConfiguration(
				AutoConfigurations.of(DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues(PROPERTIES);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withUserConfiguration(Ours.class)
		.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
		.withPropertyValues(PROPERTIES);

	static Stream<FilteredClassLoader> optional() {
		return Stream.of(without(MICROMETER, "org.springframework.boot.micrometer"), without(ACTUATOR), without(HEALTH),
				without("io.lettuce"), without("org.springframework.data.redis", "org.springframework.boot.data.redis"),
				without("org.springframework.security", "org.springframework.boot.security"),
				without("org.springframework.security.oauth2"), without("org.springframework.boot.restclient"),
				without("org.springframework.boot.webclient"),
				without("org.apache.catalina", "org.springframework.boot.tomcat"), without("org.eclipse.jetty"),
				without("reactor.netty"));
	}

	private static FilteredClassLoader without(String... packages) {
		return new FilteredClassLoader(packages) {

			@Override
			public String toString() {
				return "without " + String.join(", ", packages);
			}

		};
	}

	static ApplicationContextRunner withoutSpringDataRedis() {
		return new ApplicationContextRunner().withUserConfiguration(Ours.class)
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withClassLoader(
					without("org.springframework.data", "org.springframework.boot.data", "org.springframework.dao"));
	}

	@ParameterizedTest
	@MethodSource("optional")
	void limiterStartsOutsideTheWeb(FilteredClassLoader classes) {
		new ApplicationContextRunner().withUserConfiguration(Ours.class)
			.withPropertyValues(PROPERTIES)
			.withClassLoader(classes)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitEngine.class)
				.hasSingleBean(MemoryLimitStore.class));
	}

	@ParameterizedTest
	@MethodSource("optional")
	void limiterStartsOnServlet(FilteredClassLoader classes) {
		this.servlet.withClassLoader(classes)
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class)
				.hasBean("rateLimitEarlyFilter")
				.hasBean("rateLimitLateFilter"));
	}

	@ParameterizedTest
	@MethodSource("optional")
	void limiterStartsOnWebFlux(FilteredClassLoader classes) {
		this.reactive.withClassLoader(classes)
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class)
				.hasBean("rateLimitEarlyFilter")
				.hasBean("rateLimitLateFilter"));
	}

	@Test
	void metersHealthAndEndpointNeedTheirLibraries() {
		EnableAuto.servlet()
			.withPropertyValues(PROPERTIES)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitMetrics.class)
				.hasSingleBean(RateLimitEndpoint.class)
				.hasBean("ratelimitHealthIndicator"));
		this.servlet.withClassLoader(without(MICROMETER, "org.springframework.boot.micrometer"))
			.run((context) -> assertThat(context).doesNotHaveBean("rateLimitMetrics"));
		this.servlet.withClassLoader(without(ACTUATOR))
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitEndpoint.class));
		this.servlet.withClassLoader(without(HEALTH))
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitHealthIndicator.class)
				.doesNotHaveBean("ratelimitHealthIndicator"));
	}

	@Test
	void doctorSpeaksWithoutTheActuator(CapturedOutput output) {
		this.servlet.withClassLoader(without(ACTUATOR))
			.withPropertyValues("ratelimit.rules.twin.paths=/**", "ratelimit.rules.twin.limit=100/min")
			.run((context) -> assertThat(output).containsPattern("WARN .*RL005 .*ratelimit.rules.twin"));
	}

	@Test
	void limiterStartsWithoutMvcOnServlet() {
		new WebApplicationContextRunner().withUserConfiguration(Ours.class)
			.withPropertyValues(PROPERTIES)
			.withClassLoader(without("org.springframework.web.servlet", "org.springframework.boot.webmvc",
					"org.springframework.security"))
			.run((context) -> assertThat(context).hasSingleBean(RateLimitEngine.class)
				.doesNotHaveBean(RequestGate.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.bypass-authorities", "ratelimit.rules.all.bypass-authorities" })
	void authoritiesThatNobodyCanHaveAreRejected(String property) {
		FailureAnalysis analysis = StartFailure.of(this.servlet.withPropertyValues(property + "=ROLE_ADMIN")
			.withClassLoader(without("org.springframework.security", "org.springframework.boot.security")));
		assertThat(StartFailure.text(analysis)).contains(property, "ROLE_ADMIN",
				"Spring Security is not on the classpath", "spring-boot-starter-security");
	}

	@ParameterizedTest
	@CsvSource({ "user, true", "'user,route', true", "caller, false", "ip, false" })
	void usersThatNobodyCanBeAreReported(String key, boolean said, CapturedOutput output) {
		this.servlet.withPropertyValues("ratelimit.rules.all.key=" + key)
			.withClassLoader(without("org.springframework.security", "org.springframework.boot.security"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut()
			.contains("ratelimit.rules.all.key = '[" + key.replace(",", ", ")
					+ "]': Spring Security is not on the classpath"))
			.isEqualTo(said);
	}

	@Test
	void usersThatSpringSecurityKnowsAreNotSaid(CapturedOutput output) {
		this.reactive.withPropertyValues("ratelimit.rules.all.key=user")
			.run((context) -> assertThat(output).doesNotContain("is not on the classpath"));
	}

	@Test
	void claimsThatNobodyCanHaveAreRejected() {
		FailureAnalysis analysis = StartFailure
			.of(this.servlet.withPropertyValues("ratelimit.rules.all.key=claim:tenant")
				.withClassLoader(without("org.springframework.security.oauth2")));
		assertThat(StartFailure.text(analysis)).contains("ratelimit.rules.all.key", "claim:tenant",
				"spring-boot-starter-security-oauth2-resource-server");
	}

	@Test
	void methodsOfBeansAreLimitedWithoutTheWebAndWithoutSecurity() {
		new ApplicationContextRunner().withUserConfiguration(Ours.class, LimitedBeans.Quotes.class)
			.withClassLoader(without("org.springframework.web", "org.springframework.http", "jakarta.servlet",
					"org.springframework.security"))
			.run((context) -> {
				LimitedBeans.Quotes quotes = context.getBean(LimitedBeans.Quotes.class);
				quotes.ofCaller();
				quotes.ofCaller();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quotes::ofCaller);
			});
	}

	@Test
	void limiterStartsWithoutWebFlux() {
		this.servlet.withClassLoader(without("org.springframework.web.reactive", "org.springframework.boot.webflux"))
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class));
	}

	/**
	 * Excludes the auto-configurations of other libraries, some of which fail if a
	 * library is only partly present.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ManagementExemptionAutoConfiguration.class, RateLimitAutoConfiguration.class,
			RateLimitClientAutoConfiguration.class, RateLimitDoctorAutoConfiguration.class,
			RateLimitEndpointAutoConfiguration.class, RateLimitHealthAutoConfiguration.class,
			RateLimitMethodAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class,
			RateLimitRedisAutoConfiguration.class, RateLimitRedisConnectionAutoConfiguration.class,
			RateLimitServletAutoConfiguration.class, RateLimitTelemetryAutoConfiguration.class,
			RateLimitTimeAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class })
	static class Ours {

	}

}
