package dev.ratelimit.api;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * HTTP API for services without this library.
 *
 * @param enabled Whether to serve decisions and rules over HTTP. Requires Spring
 * Security.
 * @param path Path of the API after the context path.
 */
@ConfigurationProperties(prefix = "ratelimit.api", ignoreUnknownFields = false)
record ApiProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/v1/ratelimit") String path) {

	ApiProperties {
		path = "/" + StringUtils.trimLeadingCharacter(StringUtils.trimTrailingCharacter(path, '/'), '/');
		if (path.length() == 1) {
			throw new InvalidRuleException("ratelimit.api.path", path, "the API cannot be at the root",
					"Set a path, such as /v1/ratelimit.");
		}
	}

}
