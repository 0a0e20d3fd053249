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
 * {@link AutoConfiguration Auto-configuration} that keeps management endpoints from being
 * counted: a limit must not take the instance out of its load balancer. Exempt is what
 * the actuator's handler mappings of this server serve, and nothing beside it: with a
 * port of its own for management, the additional paths of health groups.
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

	// Not before the first request: mappings must not be made early.
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
	 * On servlet.
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
	 * On WebFlux.
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
