/**
 * Internal: data structures for fair queues: the next waiting item, and estimates of
 * waits. Uses no other package, no clock, and no threads. Entered by the engine and by
 * waiting.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
