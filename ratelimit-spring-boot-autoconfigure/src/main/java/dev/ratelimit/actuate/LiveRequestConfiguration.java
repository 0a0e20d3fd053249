package dev.ratelimit.actuate;

import dev.ratelimit.web.reactive.BodyLimitWebFilter;
import dev.ratelimit.web.reactive.EmptySegmentWebFilter;
import dev.ratelimit.web.servlet.BodyLimitInterceptor;
import dev.ratelimit.web.servlet.EmptySegmentInterceptor;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.MappedInterceptor;

/**
 * Limits the size of the bodies that the endpoint {@code ratelimitlive} reads, and
 * rejects paths with empty segments. Applies to the port of the application or to that of
 * the actuator.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
class LiveRequestConfiguration {

	private static final String ID = "ratelimitlive";

	private static final long MAX_BYTES = 64 * 1024;

	private static String path(WebEndpointProperties properties) {
		return properties.getBasePath() + "/" + properties.getPathMapping().getOrDefault(ID, ID);
	}

	/**
	 * Configuration for servlet.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherServlet.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class OnServlet {

		@Bean
		static MappedInterceptor rateLimitLiveBodyInterceptor(WebEndpointProperties properties) {
			return new MappedInterceptor(new String[] { path(properties) + "/**" },
					new BodyLimitInterceptor(MAX_BYTES));
		}

		@Bean
		static MappedInterceptor rateLimitLivePathInterceptor(WebEndpointProperties properties) {
			return new MappedInterceptor(new String[] { path(properties) + "/**" }, new EmptySegmentInterceptor());
		}

	}

	/**
	 * Configuration for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherHandler.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class OnWebFlux {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		BodyLimitWebFilter rateLimitLiveBodyFilter(WebEndpointProperties properties) {
			return new BodyLimitWebFilter(path(properties), MAX_BYTES);
		}

		@Bean
		EmptySegmentWebFilter rateLimitLivePathFilter(WebEndpointProperties properties) {
			return new EmptySegmentWebFilter(path(properties));
		}

	}

}
