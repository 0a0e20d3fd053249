/**
 * Observations of decisions, for tracing and meters.
 */
@NullMarked
package dev.ratelimit.observation;

import org.jspecify.annotations.NullMarked;
