/**
 * An application with a backend of limited capacity, and the limiters that can protect
 * the backend.
 */
@NullMarked
package dev.ratelimit.benchmarks.overload;

import org.jspecify.annotations.NullMarked;
