/**
 * Slots that WebSocket connections hold. May use the adapters of both stacks, the gate,
 * and the engine. Entered by the handlers of the application, through
 * {@link dev.ratelimit.connection.LimitedWebSocketHandler}.
 */
@NullMarked
package dev.ratelimit.connection;

import org.jspecify.annotations.NullMarked;
