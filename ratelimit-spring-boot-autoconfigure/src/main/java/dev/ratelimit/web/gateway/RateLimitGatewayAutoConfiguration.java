package dev.ratelimit.web.gateway;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.web.reactive.NamedRulesFilter;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} of the filter for routes of Spring Cloud
 * Gateway, on WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitWebFluxAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory")
@ConditionalOnBean(NamedRulesFilter.class)
public final class RateLimitGatewayAutoConfiguration {

	/**
	 * Configuration of the filter. Loaded only if the gateway is on the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Filter {

		// Resolved lazily, because the routes depend on the factory, and the filter
		// depends on all handler mappings, including that of the routes.
		@Bean
		@ConditionalOnMissingBean
		RateLimitGatewayFilterFactory rateLimitGatewayFilterFactory(RateLimitEngine engine,
				ObjectProvider<NamedRulesFilter> filter, ObjectProvider<RouteLocator> routes) {
			return new RateLimitGatewayFilterFactory(filter::getObject, engine.editions(), routes::getObject);
		}

	}

}
