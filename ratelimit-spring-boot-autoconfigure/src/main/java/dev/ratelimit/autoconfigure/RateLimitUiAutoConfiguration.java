package dev.ratelimit.autoconfigure;

import java.util.Collections;

import dev.ratelimit.actuate.RateLimitUiEndpoint;
import dev.ratelimit.engine.RateLimitEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the live page.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitUiEndpoint.class)
public final class RateLimitUiAutoConfiguration {

	private static final EndpointId PAGE = EndpointId.of("ratelimitui");

	private static final EndpointId FIGURES = EndpointId.of("ratelimitlive");

	// All endpoints are found once they are made, so this one cannot wait for the paths.
	@Bean
	@ConditionalOnMissingBean
	RateLimitUiEndpoint rateLimitUiEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
		return new RateLimitUiEndpoint(() -> endpoints.stream().findFirst().map(RateLimitUiAutoConfiguration::link).orElse(""));
	}

	// Relative, so that it holds behind a proxy that serves the application elsewhere.
	private static String link(PathMappedEndpoints endpoints) {
		@Nullable PathMappedEndpoint page = endpoints.getEndpoint(PAGE);
		@Nullable PathMappedEndpoint figures = endpoints.getEndpoint(FIGURES);
		if (page == null || figures == null) {
			return "";
		}
		int depth = (int) page.getRootPath().chars().filter((character) -> character == '/').count();
		return String.join("", Collections.nCopies(depth, "../")) + figures.getRootPath();
	}

}
