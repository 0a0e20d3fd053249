package dev.ratelimit.http;

import java.time.Duration;
import java.util.UUID;

import dev.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that corrections use the sent status, which may be set by Spring Security, an
 * exception handler, or an error page.
 */
@Tag("long")
@Tag("nightly")
class SentStatusTests {

	private static final String CALLER = UUID.randomUUID().toString();

	@ParameterizedTest
	@CsvSource({ "TOMCAT", "JETTY", "NETTY" })
	void corrections(SentStatusApplication.Server server) {
		try (ConfigurableApplicationContext application = start(Secured.class, server)) {
			deniedByMethodSecurity(application);
			answeredByAnExceptionOfAStatus(application);
			answeredByTheServer(application);
			onlyOnServlets(application, server);
		}
	}

	private void deniedByMethodSecurity(ConfigurableApplicationContext application) {
		counts(application, "/denied", 403, "denied");
		counts(application, "/denied/later", 403, "denied");
		counts(application, "/denied/early", 403, "denied-early");
	}

	private void answeredByAnExceptionOfAStatus(ConfigurableApplicationContext application) {
		counts(application, "/failing/404", 404, "failing");
		counts(application, "/failing/later/404", 404, "failing");
		refunds(application, "/failing/503", 503, "failing");
		refunds(application, "/failing/later/503", 503, "failing");
	}

	private void answeredByTheServer(ConfigurableApplicationContext application) {
		refunds(application, "/failing/thrown", 500, "failing");
		refunds(application, "/failing/later/thrown", 500, "failing");
		counts(application, "/failing/set/404", 404, "failing");
		refunds(application, "/failing/set/503", 503, "failing");
	}

	private void onlyOnServlets(ConfigurableApplicationContext application, SentStatusApplication.Server server) {
		if (server != SentStatusApplication.Server.NETTY) {
			counts(application, "/failing/error/404", 404, "failing");
			refunds(application, "/failing/error/503", 503, "failing");
			counts(application, "/failing/error/507", 410, "failing");
			counts(application, "/failing/paged", 410, "failing");
			counts(application, "/failing/later/paged", 410, "failing");
			refunds(application, "/failing/unavailable", 503, "failing");
			refunds(application, "/failing/timeout", 503, "failing");
		}
	}

	@ParameterizedTest
	@CsvSource({ "TOMCAT", "NETTY" })
	void correctionsWithoutErrorPagesAndSecurity(SentStatusApplication.Server server) {
		try (ConfigurableApplicationContext application = start(Plain.class, server,
				"--spring.autoconfigure.exclude=" + SentStatusApplication.LEFT_OUT)) {
			refunds(application, "/failing/thrown", 500, "failing");
			counts(application, "/failing/404", 404, "failing");
			refunds(application, "/failing/503", 503, "failing");
			refunds(application, "/failing/later/thrown", 500, "failing");
		}
	}

	private void counts(ConfigurableApplicationContext application, String path, int status, String rule) {
		long before = remaining(application, rule);
		for (int i = 0; i < 10; i++) {
			assertThat(get(application, path)).as(path).isEqualTo(status);
		}
		await(application, path, rule, before - 10);
	}

	private void refunds(ConfigurableApplicationContext application, String path, int status, String rule) {
		long before = remaining(application, rule);
		for (int i = 0; i < 3; i++) {
			assertThat(get(application, path)).as(path).isEqualTo(status);
		}
		await(application, path, rule, before);
	}

	private static void await(ConfigurableApplicationContext application, String path, String rule, long remaining) {
		soon().untilAsserted(() -> assertThat(remaining(application, rule)).as(path).isEqualTo(remaining));
		soon().untilAsserted(() -> assertThat(remaining(application, "under-way")).as(path).isEqualTo(100));
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	private static int get(ConfigurableApplicationContext application, String path) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new HttpProbe(port).get(path, "X-Key", CALLER, "Authorization", HttpProbe.basic("user", "secret"))
			.statusCode();
	}

	private static long remaining(ConfigurableApplicationContext application, String rule) {
		return application.getBean(RateLimiter.class)
			.peek(rule, "header:" + CALLER)
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static ConfigurableApplicationContext start(Class<?> type, SentStatusApplication.Server server,
			String... more) {
		String[] own = { "--server.port=0", "--spring.main.banner-mode=off", "--test.server=" + server,
				"--ratelimit.defaults.key=header:X-Key", "--ratelimit.rules.denied.paths=/denied,/denied/later",
				"--ratelimit.rules.denied.limit=100/d", "--ratelimit.rules.denied.phase=late",
				"--ratelimit.rules.denied.count-only.status=401,403",
				"--ratelimit.rules.denied-early.paths=/denied/early", "--ratelimit.rules.denied-early.limit=100/d",
				"--ratelimit.rules.denied-early.phase=early",
				"--ratelimit.rules.denied-early.count-only.status=401,403",
				"--ratelimit.rules.failing.paths=/failing/**", "--ratelimit.rules.failing.limit=1000/d",
				"--ratelimit.rules.failing.phase=late", "--ratelimit.rules.failing.refund.status=5xx",
				"--ratelimit.rules.under-way.paths=/**", "--ratelimit.rules.under-way.limit=100",
				"--ratelimit.rules.under-way.algorithm=concurrency" };
		String[] all = new String[own.length + more.length];
		System.arraycopy(own, 0, all, 0, own.length);
		System.arraycopy(more, 0, all, own.length, more.length);
		boolean reactive = server == SentStatusApplication.Server.NETTY;
		return new SpringApplicationBuilder(type)
			.web((reactive) ? WebApplicationType.REACTIVE : WebApplicationType.SERVLET)
			.run(all);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(SentStatusApplication.class)
	static class Plain {

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ SentStatusApplication.class, ServletMethods.class, ReactiveMethods.class, ContractServletSecurity.class,
			ContractReactiveSecurity.class })
	static class Secured {

	}

	@EnableMethodSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletMethods {

	}

	@EnableReactiveMethodSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveMethods {

	}

}
