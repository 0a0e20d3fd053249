/**
 * Internal: the load guard, which limits the number of requests that this instance
 * processes at a time. Other requests wait or are shed. May use the web, the gate, and
 * the engine. Entered by the web through {@link dev.ratelimit.web.LoadStage}.
 */
@NullMarked
package dev.ratelimit.load;

import org.jspecify.annotations.NullMarked;
