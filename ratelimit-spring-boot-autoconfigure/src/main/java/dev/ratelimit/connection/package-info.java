/**
 * Limits of connections: slots that WebSocket sessions hold.
 */
@NullMarked
package dev.ratelimit.connection;

import org.jspecify.annotations.NullMarked;
