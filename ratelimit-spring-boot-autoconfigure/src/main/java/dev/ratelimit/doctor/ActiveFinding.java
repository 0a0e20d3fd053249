package dev.ratelimit.doctor;

import java.time.Instant;

/**
 * Internal: a finding that stands. Immutable.
 *
 * @param finding the finding
 * @param since when it was found first
 */
public record ActiveFinding(Finding finding, Instant since) {
}
