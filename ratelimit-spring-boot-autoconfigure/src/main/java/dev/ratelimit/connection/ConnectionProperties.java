package dev.ratelimit.connection;

import org.jspecify.annotations.Nullable;

/**
 * Internal: connections that hold slots.
 *
 * @param enabled Whether WebSocket connections can hold slots of rules with hold:
 * connection. By default, if a rule below ratelimit.rules has the property hold.
 */
public record ConnectionProperties(@Nullable Boolean enabled) {
}
