/**
 * Rules that change while the application runs: documents, sources, activation, and
 * switches. May use the wiring, the engine, and the endpoints. Entered by sources,
 * through the readings of {@link dev.ratelimit.live.RuleSource}, and by its lifecycle.
 */
@NullMarked
package dev.ratelimit.live;

import org.jspecify.annotations.NullMarked;
