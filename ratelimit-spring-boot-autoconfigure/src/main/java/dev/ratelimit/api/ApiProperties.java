package dev.ratelimit.api;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * HTTP API for services without this library.
 *
 * @param enabled Whether to serve decisions and rules over HTTP. Requires Spring
 * Security.
 * @param path Path of the API after the context path.
 */
@ConfigurationProperties(prefix = "ratelimit.api", ignoreUnknownFields = false)
record ApiProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/v1/ratelimit") String path) {
}
