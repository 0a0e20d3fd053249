package dev.ratelimit.engine;

import java.time.Duration;

/**
 * Internal: a queue as it is now. Immutable.
 *
 * @param length how many requests wait
 * @param estimate how long one more would wait
 */
public record WaitState(int length, Duration estimate) {
}
