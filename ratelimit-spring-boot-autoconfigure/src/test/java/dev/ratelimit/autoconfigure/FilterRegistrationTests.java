package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderSettings;
import dev.ratelimit.web.response.Jitter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

class FilterRegistrationTests {

	private static final String EARLY = "rateLimitEarlyFilter";

	private static final String LATE = "rateLimitLateFilter";

	private final WebApplicationContextRunner servlet = EnableAuto.servlet();

	private final ReactiveWebApplicationContextRunner reactive = EnableAuto.reactive();

	@Test
	void servletFiltersStandOnBothSidesOfSecurity() {
		this.servlet.run((context) -> {
			assertThat(registration(context, EARLY).getOrder()).isEqualTo(-101);
			assertThat(registration(context, LATE).getOrder()).isEqualTo(-99);
			assertThat(context.getBean("securityFilterChainRegistration")).extracting("order").isEqualTo(-100);
		});
	}

	@Test
	void servletFiltersFollowTheConfiguredOrderOfSecurity() {
		this.servlet.withPropertyValues("spring.security.filter.order=50").run((context) -> {
			assertThat(registration(context, EARLY).getOrder()).isEqualTo(49);
			assertThat(registration(context, LATE).getOrder()).isEqualTo(51);
		});
	}

	@Test
	void servletFiltersAreTwoAndSeeRequestsAlone() {
		this.servlet.run((context) -> {
			assertThat(registration(context, EARLY).getFilterName()).isEqualTo(EARLY);
			assertThat(registration(context, LATE).getFilterName()).isEqualTo(LATE);
			assertThat(registration(context, EARLY).getFilter()).isNotSameAs(registration(context, LATE).getFilter());
			for (String name : List.of(EARLY, LATE)) {
				assertThat(registration(context, name).determineDispatcherTypes())
					.isEqualTo(EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD));
			}
		});
	}

	@Test
	void webFiltersStandOnBothSidesOfSecurity() {
		this.reactive.run((context) -> {
			assertThat(context.getBean(EARLY, Ordered.class).getOrder()).isEqualTo(-101);
			assertThat(context.getBean(LATE, Ordered.class).getOrder()).isEqualTo(-99);
			assertThat(context.getBeanProvider(WebFilter.class)
				.orderedStream()
				.map((filter) -> filter.getClass().getSimpleName())
				.toList())
				.containsSubsequence(List.of("RateLimitWebFilter", "WebFilterChainProxy", "RateLimitWebFilter"));
		});
	}

	@Test
	void usersFilterOfTheNameWinsOnServlet() {
		this.servlet.withUserConfiguration(OwnServletFilter.class).run((context) -> {
			assertThat(registration(context, EARLY).getOrder()).isEqualTo(7);
			assertThat(registration(context, LATE).getOrder()).isEqualTo(-99);
		});
	}

	@Test
	void usersFilterOfTheNameWinsOnWebFlux() {
		this.reactive.withUserConfiguration(OwnWebFilter.class).run((context) -> {
			assertThat(context.getBean(EARLY).getClass().getSimpleName()).isNotEqualTo("RateLimitWebFilter");
			assertThat(context.getBean(LATE).getClass().getSimpleName()).isEqualTo("RateLimitWebFilter");
		});
	}

	@Test
	void gateAndWriterAreOneEachOnBothStacks() {
		this.servlet
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class).hasSingleBean(HeaderFactory.class));
		this.reactive
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class).hasSingleBean(HeaderFactory.class));
	}

	@Test
	void usersGateAndWriterWinOnBothStacks() {
		this.servlet.withUserConfiguration(OwnGate.class)
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class)
				.hasSingleBean(HeaderFactory.class)
				.hasBean("ownGate")
				.hasBean("ownWriter"));
		this.reactive.withUserConfiguration(OwnGate.class)
			.run((context) -> assertThat(context).hasSingleBean(RequestGate.class)
				.hasSingleBean(HeaderFactory.class)
				.hasBean("ownGate")
				.hasBean("ownWriter"));
	}

	private static FilterRegistrationBean<?> registration(ApplicationContext context, String name) {
		return context.getBean(name, FilterRegistrationBean.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnServletFilter {

		@Bean(EARLY)
		FilterRegistrationBean<Filter> own() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					(request, response, chain) -> chain.doFilter(request, response));
			registration.setOrder(7);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnWebFilter {

		@Bean(EARLY)
		WebFilter own() {
			return (exchange, chain) -> chain.filter(exchange);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnGate {

		@Bean
		RequestGate ownGate(RateLimitEngine engine) {
			return new RequestGate(engine,
					GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), ManagementPaths.NONE, false));
		}

		@Bean
		HeaderFactory ownWriter(RateLimitEngine engine) {
			return new HeaderFactory(InstantSource.system(), HeaderSettings.DEFAULT, Jitter.NONE);
		}

	}

}
