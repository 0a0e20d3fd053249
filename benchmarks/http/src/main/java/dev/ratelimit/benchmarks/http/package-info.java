/**
 * The application that the HTTP benchmark calls.
 */
@NullMarked
package dev.ratelimit.benchmarks.http;

import org.jspecify.annotations.NullMarked;
