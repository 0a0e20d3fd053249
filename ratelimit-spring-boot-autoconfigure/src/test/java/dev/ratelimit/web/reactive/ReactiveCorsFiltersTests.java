package dev.ratelimit.web.reactive;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.web.server.MatcherSecurityWebFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveCorsFiltersTests {

	private final CorsWebFilter plain = filter();

	private final CorsWebFilter ofChain = filter();

	private final CorsWebFilter ofOtherChain = filter();

	@Test
	void filtersAreThoseOfTheMatchingChainAndThoseForAllRequests() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean("plain", CorsWebFilter.class, () -> this.plain);
			context.registerBean("source", CorsConfigurationSource.class, () -> new UrlBasedCorsConfigurationSource());
			chain(context, "a", "/chain", this.ofChain);
			chain(context, "b", "/other", this.ofOtherChain);
			context.refresh();
			assertThat(filters(context, "/chain")).containsExactly(this.ofChain, this.plain);
			assertThat(filters(context, "/none")).containsExactly(this.plain);
		}
	}

	@Test
	void standardChainOfSecurityTakesTheBeanOfTheSource() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean("plain", CorsWebFilter.class, () -> this.plain);
			context.registerBean("source", CorsConfigurationSource.class, () -> new UrlBasedCorsConfigurationSource());
			context.refresh();
			assertThat(filters(context, "/")).hasSize(2).last().isEqualTo(this.plain);
		}
	}

	private static List<CorsWebFilter> filters(GenericApplicationContext context, String path) {
		return new ReactiveCorsFilters(context.getBeanFactory())
			.apply(MockServerWebExchange.from(MockServerHttpRequest.get(path)))
			.collectList()
			.blockOptional()
			.orElseThrow();
	}

	private static void chain(GenericApplicationContext context, String name, String path, CorsWebFilter filter) {
		context.registerBean(name, SecurityWebFilterChain.class,
				() -> new MatcherSecurityWebFilterChain(new PathPatternParserServerWebExchangeMatcher(path),
						List.of(filter)));
	}

	private static CorsWebFilter filter() {
		return new CorsWebFilter(new UrlBasedCorsConfigurationSource());
	}

}
