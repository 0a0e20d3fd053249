package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.web.Exemptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} that keeps management endpoints from being
 * counted: a limit must not take the instance out of its load balancer.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = WebEndpointAutoConfiguration.class,
		before = { RateLimitServletAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnClass({ PathMappedEndpoints.class, WebEndpointAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBean(PathMappedEndpoints.class)
public final class ManagementExemptionAutoConfiguration {

	private static final List<String> PROBES = List.of("/livez", "/readyz");

	@Bean
	@ConditionalOnMissingBean
	Exemptions rateLimitExemptions(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
		return new Exemptions(
				() -> endpoints.stream().flatMap((mapped) -> paths(mapped, environment)).distinct().toList(),
				() -> endpoints.stream()
					.map((mapped) -> dispatcherPath(environment) + mapped.getBasePath())
					.filter((path) -> path.length() > 1)
					.collect(Collectors.toUnmodifiableSet()));
	}

	// Each endpoint by its own path: what else lives below the base path is the
	// application's. With a port of its own, too: WebFlux runs the filters there as well.
	private static Stream<String> paths(PathMappedEndpoints endpoints, Environment environment) {
		Stream<String> additional = endpoints.stream()
			.flatMap((endpoint) -> endpoint.getAdditionalPaths(WebServerNamespace.SERVER).stream());
		return Stream.concat(Stream.concat(endpoints.getAllPaths().stream(), additional), probes(environment))
			.map((path) -> (path.startsWith("/")) ? path : "/" + path)
			.filter((path) -> path.length() > 1)
			.map((path) -> dispatcherPath(environment) + path);
	}

	private static String dispatcherPath(Environment environment) {
		String path = environment.getProperty("spring.mvc.servlet.path", "");
		return (path.endsWith("/")) ? path.substring(0, path.length() - 1) : path;
	}

	private static Stream<String> probes(Environment environment) {
		boolean added = environment.getProperty("management.endpoint.health.probes.add-additional-paths", Boolean.class,
				false);
		return (added) ? PROBES.stream() : Stream.empty();
	}

}
