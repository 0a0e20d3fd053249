/**
 * The application that the HTTP benchmark calls, with bucket4j's starter.
 */
@NullMarked
package dev.ratelimit.benchmarks.bucket4j;

import org.jspecify.annotations.NullMarked;
