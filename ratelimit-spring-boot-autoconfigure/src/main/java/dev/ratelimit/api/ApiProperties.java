package dev.ratelimit.api;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: the HTTP API, below {@code ratelimit.api}.
 *
 * @param enabled Whether to serve decisions and rules over HTTP. Requires Spring
 * Security.
 * @param path Path of the API after the context path.
 */
public record ApiProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/v1/ratelimit") String path) {
}
