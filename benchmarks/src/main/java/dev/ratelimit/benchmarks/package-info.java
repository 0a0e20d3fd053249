/**
 * Closed-loop and JMH benchmarks, each peer beside the library in one run.
 */
@NullMarked
package dev.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
