package dev.ratelimit;

import java.time.Instant;

/**
 * Published as an application event by the instance on which a rule bans, marks, or
 * pauses a subject. Immutable. The listeners are called on a thread of their own, one
 * event after the other, and do not delay decisions. While 1000 events wait, further ones
 * are dropped.
 *
 * @param ruleId the rule
 * @param subject the subject, such as {@code ip:203.0.113.7}
 * @param kind the treatment of the subject's requests
 * @param until the end of the ban
 * @param count the number of this ban in a row of bans
 * @param user the user that imposed the ban; empty if strikes did
 * @since 0.1.0
 */
public record SubjectBannedEvent(String ruleId, String subject, BanKind kind, Instant until, int count, String user) {
}
