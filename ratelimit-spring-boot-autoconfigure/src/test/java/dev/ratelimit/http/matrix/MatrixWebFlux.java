package dev.ratelimit.http.matrix;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.reactive.UrlHandlerFilter;
import org.springframework.web.reactive.config.PathMatchConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebFilter;

/**
 * Components for WebFlux only.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class MatrixWebFlux {

	@Bean
	NettyReactiveWebServerFactory netty() {
		return new NettyReactiveWebServerFactory();
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	WebFilter last(Reached reached) {
		return (exchange, chain) -> {
			reached.of(exchange.getRequest().getHeaders().getFirst(Reached.CLIENT)).passed();
			return chain.filter(exchange);
		};
	}

	/**
	 * Matches paths without case, and with a trailing slash.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("test.lenient")
	static class Lenient implements WebFluxConfigurer {

		@Bean
		UrlHandlerFilter slashes() {
			return UrlHandlerFilter.trailingSlashHandler("/**").mutateRequest().build();
		}

		@Override
		public void configurePathMatching(PathMatchConfigurer configurer) {
			configurer.setUseCaseSensitiveMatch(false);
		}

	}

}
