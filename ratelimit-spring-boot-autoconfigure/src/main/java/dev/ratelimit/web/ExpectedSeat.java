package dev.ratelimit.web;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: the expected action of the load guard for a request. Immutable.
 *
 * @param level the level of the request
 * @param shed whether it would be shed
 */
public record ExpectedSeat(Level level, boolean shed) {
}
