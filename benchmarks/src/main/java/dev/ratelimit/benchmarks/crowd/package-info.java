/**
 * The cost of thousands of requests and connections that an instance holds at a time, in
 * threads, memory, and calls to Redis.
 */
@NullMarked
package dev.ratelimit.benchmarks.crowd;

import org.jspecify.annotations.NullMarked;
