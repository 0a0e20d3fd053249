package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * Connections that hold slots.
 *
 * @param enabled Whether WebSocket connections can hold slots of rules with hold:
 * connection. By default, if a rule below ratelimit.rules has the property hold.
 */
record ConnectionProperties(@Nullable Boolean enabled) {
}
