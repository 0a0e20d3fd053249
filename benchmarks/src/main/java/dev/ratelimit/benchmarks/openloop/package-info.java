/**
 * Measures overload: open arrivals at an application with a backend of lower capacity,
 * and the effect of each limiter.
 */
@NullMarked
package dev.ratelimit.benchmarks.openloop;

import org.jspecify.annotations.NullMarked;
