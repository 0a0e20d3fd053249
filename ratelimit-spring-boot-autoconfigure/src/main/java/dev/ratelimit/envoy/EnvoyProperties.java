package dev.ratelimit.envoy;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Envoy's rate limit service.
 *
 * @param enabled Whether the gRPC server of the application receives calls of Envoy, for
 * rules with descriptor.
 * @param headers Whether responses contain the header fields of rate limits, which Envoy
 * adds to its own responses.
 */
@ConfigurationProperties(prefix = "ratelimit.envoy", ignoreUnknownFields = false)
record EnvoyProperties(@DefaultValue("false") boolean enabled, @DefaultValue("true") boolean headers) {
}
