package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.web.Exemptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
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
				() -> endpoints.stream().flatMap((mapped) -> paths(mapped, environment)).distinct().toList());
	}

	// With a base path of "/", each endpoint is exempt by its own path alone.
	private static Stream<String> paths(PathMappedEndpoints endpoints, Environment environment) {
		String prefix = environment.getProperty("spring.mvc.servlet.path", "");
		String dispatcher = (prefix.endsWith("/")) ? prefix.substring(0, prefix.length() - 1) : prefix;
		Stream<String> base = Stream.of(endpoints.getBasePath()).filter((path) -> path.length() > 1);
		Stream<String> own = Stream.concat(base, endpoints.getAllPaths().stream())
			.filter((path) -> path.length() > 1)
			.map((path) -> dispatcher + path);
		return Stream.concat(own, probes(environment).map((path) -> dispatcher + path));
	}

	private static Stream<String> probes(Environment environment) {
		boolean added = environment.getProperty("management.endpoint.health.probes.add-additional-paths", Boolean.class,
				false);
		return (added) ? PROBES.stream() : Stream.empty();
	}

}
