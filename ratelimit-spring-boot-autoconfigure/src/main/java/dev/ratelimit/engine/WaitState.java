package dev.ratelimit.engine;

import java.time.Duration;

/**
 * Internal: the current state of a queue. Immutable.
 *
 * @param length the number of waiting requests
 * @param estimate the expected wait of another request
 */
public record WaitState(int length, Duration estimate) {
}
