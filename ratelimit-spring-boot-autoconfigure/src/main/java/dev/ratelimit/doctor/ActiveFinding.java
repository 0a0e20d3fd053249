package dev.ratelimit.doctor;

import java.time.Instant;

import dev.ratelimit.base.Finding;

/**
 * Internal: a finding that stands. Immutable.
 *
 * @param finding the finding
 * @param since when it was found first
 */
public record ActiveFinding(Finding finding, Instant since) {
}
