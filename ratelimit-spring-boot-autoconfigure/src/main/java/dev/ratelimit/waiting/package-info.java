/**
 * Internal: fair queues of requests that wait for units. May use the engine and {@code
 * queue}. Entered by the engine through {@link dev.ratelimit.engine.WaitQueues}.
 */
@NullMarked
package dev.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
