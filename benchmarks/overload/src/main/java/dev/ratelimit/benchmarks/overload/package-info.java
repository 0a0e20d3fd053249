/**
 * An application whose backend can do only so much, and the limiters that may stand
 * before it.
 */
@NullMarked
package dev.ratelimit.benchmarks.overload;

import org.jspecify.annotations.NullMarked;
