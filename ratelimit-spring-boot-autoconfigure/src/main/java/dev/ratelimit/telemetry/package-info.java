/**
 * Internal: the subjects that are rejected most often, and events. May use the engine and
 * Redis, and changes no decision. Entered by the engine through
 * {@link dev.ratelimit.engine.DecisionObserver}.
 */
@NullMarked
package dev.ratelimit.telemetry;

import org.jspecify.annotations.NullMarked;
