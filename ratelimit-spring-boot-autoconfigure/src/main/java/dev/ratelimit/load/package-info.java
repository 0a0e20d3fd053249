/**
 * Internal: the load guard: how many requests this instance processes at a time, and
 * which of the others wait or are shed. May use the web, the gate, and the engine.
 * Entered by the web through {@link dev.ratelimit.web.LoadStage}.
 */
@NullMarked
package dev.ratelimit.load;

import org.jspecify.annotations.NullMarked;
