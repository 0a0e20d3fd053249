package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletPath;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} that exempts management endpoints from
 * rules, so that a limit does not remove the instance from its load balancer. Only the
 * paths that the actuator's handler mappings serve on this server are exempt. With a
 * separate management port, these are the additional paths of health groups.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = WebEndpointAutoConfiguration.class,
		before = { RateLimitServletAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnClass({ PathMappedEndpoints.class, WebEndpointAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean(PathMappedEndpoints.class)
public final class ManagementExemptionAutoConfiguration {

	private static final EndpointId HEALTH = EndpointId.of("health");

	// Evaluated at the first request, because handler mappings must not be created early.
	private static ManagementPaths exemptions(ListableBeanFactory beans, EndpointPatterns patterns,
			String dispatcherPath) {
		return new ManagementPaths(() -> {
			Optional<String> health = beans.getBeanProvider(PathMappedEndpoints.class)
				.stream()
				.flatMap((endpoints) -> Optional.ofNullable(endpoints.getPath(HEALTH)).stream())
				.findFirst();
			return new ManagementPaths.Patterns(below(dispatcherPath, patterns.all(beans)), below(dispatcherPath,
					patterns.health(beans, (path) -> health.filter((root) -> isBelow(path, root)).isPresent())));
		});
	}

	private static boolean isBelow(String path, String parent) {
		return path.equals(parent) || path.startsWith(parent + "/");
	}

	private static List<PathPattern> below(String dispatcherPath, List<PathPattern> patterns) {
		return (dispatcherPath.isEmpty()) ? patterns : patterns.stream()
			.map((pattern) -> PathPatternParser.defaultInstance.parse(dispatcherPath + pattern.getPatternString()))
			.toList();
	}

	/**
	 * Configuration for servlet.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(name = "org.springframework.boot.webmvc.actuate.endpoint.web.WebMvcEndpointHandlerMapping")
	static final class ServletExemption {

		@Bean
		@ConditionalOnMissingBean
		ManagementPaths rateLimitManagementPaths(ListableBeanFactory beans,
				ObjectProvider<DispatcherServletPath> path) {
			return exemptions(beans, new ServletEndpointPatterns(),
					path.stream().map(DispatcherServletPath::getPrefix).findFirst().orElse(""));
		}

	}

	/**
	 * Configuration for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(name = "org.springframework.boot.webflux.actuate.endpoint.web.WebFluxEndpointHandlerMapping")
	static final class ReactiveExemption {

		@Bean
		@ConditionalOnMissingBean
		ManagementPaths rateLimitManagementPaths(ListableBeanFactory beans) {
			return exemptions(beans, new ReactiveEndpointPatterns(), "");
		}

	}

}
