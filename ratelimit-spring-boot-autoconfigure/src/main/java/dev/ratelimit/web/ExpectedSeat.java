package dev.ratelimit.web;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: what the load guard would do with a request now. Immutable.
 *
 * @param level the level of the request
 * @param shed whether it would be shed
 */
public record ExpectedSeat(Level level, boolean shed) {
}
