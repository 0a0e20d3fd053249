package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.handler.FilteringWebHandler;
import org.springframework.web.server.handler.WebHandlerDecorator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the cost of the filters for requests that they allow.
 */
class IdleFilterTests {

	private static final FilteredClassLoader WITHOUT_SECURITY = new FilteredClassLoader("org.springframework.security");

	private final WebApplicationContextRunner servlet = EnableAuto.servlet()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS);

	private final ReactiveWebApplicationContextRunner reactive = EnableAuto.reactive()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS);

	@Test
	void theEarlyFilterIsRegisteredWithSecurityOnlyOnServlet() {
		this.servlet.run((context) -> assertThat(early(context).isEnabled()).isTrue());
		this.servlet.withClassLoader(WITHOUT_SECURITY)
			.run((context) -> assertThat(early(context).isEnabled()).isFalse());
	}

	// Filters are created with the web server, before most beans of the application.
	@Test
	void filtersCreateNoHandlerMappingsOnServlet() {
		List<String> callers = new ArrayList<>();
		this.servlet.withBean(org.springframework.web.servlet.HandlerMapping.class, () -> {
			callers.addAll(callers());
			return (request) -> null;
		}, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(callers).isNotEmpty().noneMatch(IdleFilterTests::isFilterConfiguration));
	}

	private static List<String> callers() {
		return StackWalker.getInstance().walk((frames) -> frames.map(StackFrame::getClassName).toList());
	}

	private static boolean isFilterConfiguration(String caller) {
		return caller.startsWith(RateLimitServletAutoConfiguration.class.getName());
	}

	@Test
	void withSecurityAllFiltersAreThereOnWebFlux() {
		this.reactive.run((context) -> assertThat(ours(context)).containsExactly("RateLimitWebFilter",
				"RateLimitWebFilter", "RewrittenPathWebFilter"));
	}

	@Test
	void withoutSecurityOneFilterIsThereOnWebFlux() {
		this.reactive.withClassLoader(WITHOUT_SECURITY)
			.run((context) -> assertThat(ours(context)).containsExactly("RateLimitWebFilter"));
	}

	@Test
	void aFilterThatMayRewritePathsIsFollowedOnWebFlux() {
		this.reactive.withClassLoader(WITHOUT_SECURITY)
			.withUserConfiguration(OtherFilter.class)
			.run((context) -> assertThat(ours(context)).containsExactly("RateLimitWebFilter",
					"RewrittenPathWebFilter"));
	}

	@Test
	void anAllowedRequestHasTwoAttributesOnServlet() {
		this.servlet.withClassLoader(WITHOUT_SECURITY).run((context) -> {
			List<String> names = new ArrayList<>();
			MockHttpServletRequest received = new MockHttpServletRequest("GET", "/a");
			pass(late(context), received,
					(request, response) -> pass(context.getBean("rateLimitRewrittenPathFilter", Filter.class), received,
							(last, answer) -> names.addAll(Collections.list(request.getAttributeNames()))));
			assertThat(names).hasSize(2).contains(RateLimitContext.ATTRIBUTE);
		});
	}

	@Test
	void anAllowedRequestHasTwoAttributesOnWebFlux() {
		this.reactive.withClassLoader(WITHOUT_SECURITY).run((context) -> {
			ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/a"));
			int before = exchange.getAttributes().size();
			WebFilter filter = context.getBean("rateLimitLateFilter", WebFilter.class);
			filter.filter(exchange, (passed) -> passed.getResponse().setComplete()).block();
			assertThat(exchange.getAttributes()).hasSize(before + 2).containsKey(RateLimitContext.ATTRIBUTE);
		});
	}

	@Test
	void aRequestThatMeetsAFilterInsideItIsChargedOnce() {
		this.servlet.withPropertyValues("ratelimit.rules.all.key=ip").run((context) -> {
			Filter filter = early(context).getFilter();
			MockHttpServletRequest request = new MockHttpServletRequest("GET", "/a");
			MockHttpServletResponse response = new MockHttpServletResponse();
			filter.doFilter(request, response, (inner, told) -> filter.doFilter(inner, told, new MockFilterChain()));
			assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("99");
			request.setDispatcherType(DispatcherType.ASYNC);
			pass(filter, request, new MockFilterChain());
			response = new MockHttpServletResponse();
			filter.doFilter(new MockHttpServletRequest("GET", "/a"), response, new MockFilterChain());
			assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("98");
		});
	}

	private static void pass(Filter filter, MockHttpServletRequest request, FilterChain chain)
			throws IOException, ServletException {
		filter.doFilter(request, new MockHttpServletResponse(), chain);
	}

	private static Filter late(ApplicationContext context) {
		return context.getBean("rateLimitLateFilter", FilterRegistrationBean.class).getFilter();
	}

	private static FilterRegistrationBean<?> early(ApplicationContext context) {
		return context.getBean("rateLimitEarlyFilter", FilterRegistrationBean.class);
	}

	private static List<String> ours(ApplicationContext context) {
		WebHandler handler = (WebHandler) context.getBean(HttpHandler.class);
		while (!(handler instanceof FilteringWebHandler)) {
			handler = ((WebHandlerDecorator) handler).getDelegate();
		}
		return ((FilteringWebHandler) handler).getFilters()
			.stream()
			.map(Object::getClass)
			.filter((type) -> type.getPackage() == RateLimitWebFluxAutoConfiguration.class.getPackage())
			.map(Class::getSimpleName)
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherFilter {

		@Bean
		@Order(0)
		WebFilter other() {
			return (exchange, chain) -> chain.filter(exchange);
		}

	}

}
