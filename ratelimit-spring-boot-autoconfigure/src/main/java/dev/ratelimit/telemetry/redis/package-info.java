/**
 * Internal: writes decision events to a stream in Redis. Entered by the pump of events.
 */
@NullMarked
package dev.ratelimit.telemetry.redis;

import org.jspecify.annotations.NullMarked;
