/**
 * Internal: fair queues as data: which of those that wait is next, and how long a wait
 * takes. Uses nothing: no clock, no threads. Entered by the engine and by waiting.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
