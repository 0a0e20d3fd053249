package dev.ratelimit.doctor;

import java.time.Instant;

/**
 * A finding that stands. Immutable.
 *
 * @param finding the finding
 * @param since when it was found first
 * @since 0.1.0
 */
public record Diagnosis(Finding finding, Instant since) {
}
