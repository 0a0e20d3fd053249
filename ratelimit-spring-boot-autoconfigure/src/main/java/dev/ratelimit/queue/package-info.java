/**
 * Internal: queues as data: which of those that wait is next, and how long a wait takes.
 * No clock, no threads.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
