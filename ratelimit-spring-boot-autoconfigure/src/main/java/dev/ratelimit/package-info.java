/**
 * The public API: annotations, {@code RateLimiter}, decisions, and extension points.
 */
@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;
