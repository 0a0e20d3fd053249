package dev.ratelimit.actuate;

import java.util.List;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.base.PrincipalAuthorities;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * The rights to make changes by actuator endpoints. Imported by each auto-configuration
 * of such an endpoint.
 */
@Configuration(proxyBeanMethods = false)
@Import(EditConfiguration.class)
final class LiveAccessConfiguration {

	private static final Log logger = LogFactory.getLog(LiveAccessConfiguration.class);

	/**
	 * Read from the environment, because the properties of live rules are not always
	 * bound.
	 */
	private static final String ANONYMOUS = "ratelimit.live.anonymous-writes";

	/** The types of the filter chains of Spring Security, on servlet and WebFlux. */
	private static final List<String> CHAINS = List.of("org.springframework.security.web.SecurityFilterChain",
			"org.springframework.security.web.server.SecurityWebFilterChain");

	@Bean
	@ConditionalOnMissingBean
	LiveAccess rateLimitLiveAccess(RateLimitProperties properties, Environment environment, ListableBeanFactory beans,
			ResourceLoader resources, Namespaces namespaces) {
		boolean unguarded = environment.getProperty(ANONYMOUS, Boolean.class, false)
				&& !isSecured(beans, resources.getClassLoader());
		if (unguarded) {
			logger.warn("'" + ANONYMOUS + "' is 'true': all clients that reach the actuator endpoints"
					+ " 'ratelimit' and 'ratelimitlive' can reset limits and change rules");
		}
		return new LiveAccess(properties.authorities().write(), properties.authorities().operate(),
				(principal) -> PrincipalAuthorities.of(principal, resources.getClassLoader()), unguarded, namespaces);
	}

	private static boolean isSecured(ListableBeanFactory beans, @Nullable ClassLoader classes) {
		return CHAINS.stream()
			.filter((name) -> ClassUtils.isPresent(name, classes))
			.map((name) -> ClassUtils.resolveClassName(name, classes))
			.anyMatch((type) -> beans.getBeanNamesForType(type, true, false).length > 0);
	}

}
