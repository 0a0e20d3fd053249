/**
 * Fair queues of requests that wait.
 */
@NullMarked
package dev.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
