package dev.ratelimit.web.servlet;

import java.util.List;

import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

import static org.assertj.core.api.Assertions.assertThat;

class ServletCorsFiltersTests {

	private final CorsFilter plain = filter();

	private final CorsFilter registered = filter();

	private final CorsFilter narrowed = filter();

	private final CorsFilter disabled = filter();

	private final CorsFilter ofChain = filter();

	private final CorsFilter ofOtherChain = filter();

	@Test
	void filtersAreThoseOfTheMatchingChainAndThoseForAllRequests() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean("plain", CorsFilter.class, () -> this.plain);
			context.registerBean("disabled", CorsFilter.class, () -> this.disabled);
			register(context, "a", this.registered, true, "/*");
			register(context, "b", this.narrowed, true, "/api/*");
			register(context, "c", this.disabled, false, "/*");
			register(context, "d", (request, response, chain) -> chain.doFilter(request, response), true, "/*");
			chain(context, "e", "/chain", this.ofChain);
			chain(context, "f", "/other", this.ofOtherChain);
			context.refresh();
			ServletCorsFilters filters = new ServletCorsFilters(context.getBeanFactory());
			assertThat(filters.apply(new MockHttpServletRequest("GET", "/chain"))).containsExactly(this.ofChain,
					this.registered, this.plain);
			assertThat(filters.apply(new MockHttpServletRequest("GET", "/none"))).containsExactly(this.registered,
					this.plain);
		}
	}

	private static void register(GenericApplicationContext context, String name, Filter filter, boolean enabled,
			String urls) {
		context.registerBean(name, FilterRegistrationBean.class, () -> {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
			registration.setEnabled(enabled);
			registration.addUrlPatterns(urls);
			return registration;
		});
	}

	private static void chain(GenericApplicationContext context, String name, String path, Filter filter) {
		context.registerBean(name, SecurityFilterChain.class,
				() -> new DefaultSecurityFilterChain((request) -> request.getRequestURI().equals(path),
						List.of((request, response, chain) -> chain.doFilter(request, response), filter)));
	}

	private static CorsFilter filter() {
		return new CorsFilter(new UrlBasedCorsConfigurationSource());
	}

}
