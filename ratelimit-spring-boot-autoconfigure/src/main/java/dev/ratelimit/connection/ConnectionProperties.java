package dev.ratelimit.connection;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Connections that hold slots.
 *
 * @param enabled Whether WebSocket connections can hold slots of rules with hold:
 * connection. By default, if a rule below ratelimit.rules has the property hold.
 */
@ConfigurationProperties(prefix = "ratelimit.connections", ignoreUnknownFields = false)
record ConnectionProperties(@Nullable Boolean enabled) {
}
