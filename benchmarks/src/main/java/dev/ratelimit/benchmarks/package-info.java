/**
 * Closed-loop benchmarks and JMH benchmarks. Each run measures the peers and the library.
 */
@NullMarked
package dev.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
