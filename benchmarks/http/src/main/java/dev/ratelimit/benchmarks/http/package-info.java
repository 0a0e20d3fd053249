/**
 * What the HTTP benchmark asks.
 */
@NullMarked
package dev.ratelimit.benchmarks.http;

import org.jspecify.annotations.NullMarked;
