/**
 * The public API: annotations, {@code RateLimiter}, decisions, and extension points. Uses
 * the JDK, Reactor, and JSpecify only. Everything else may use it.
 */
@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;
