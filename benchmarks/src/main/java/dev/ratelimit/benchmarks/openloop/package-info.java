/**
 * Overload: open arrivals at an application whose backend can do less, and what each
 * limiter makes of them.
 */
@NullMarked
package dev.ratelimit.benchmarks.openloop;

import org.jspecify.annotations.NullMarked;
