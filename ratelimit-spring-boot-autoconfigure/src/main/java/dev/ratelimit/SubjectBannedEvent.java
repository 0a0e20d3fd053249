package dev.ratelimit;

import java.time.Instant;

/**
 * Application event: a rule bans, marks, or pauses a subject. Published by the instance
 * that imposes it. Immutable.
 *
 * @param ruleId the rule
 * @param subject the subject, such as {@code ip:203.0.113.7}
 * @param kind what the rule does
 * @param until the end
 * @param count how many bans in a row this is
 * @param user the user that imposed it; empty if strikes did
 * @since 0.1.0
 */
public record SubjectBannedEvent(String ruleId, String subject, BanKind kind, Instant until, int count, String user) {
}
