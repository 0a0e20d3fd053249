package dev.ratelimit.doctor;

import java.time.Instant;

import dev.ratelimit.base.Finding;

/**
 * Internal: a finding whose cause still exists. Immutable.
 *
 * @param finding the finding
 * @param since the time at which the doctor found it first
 */
public record ActiveFinding(Finding finding, Instant since) {
}
