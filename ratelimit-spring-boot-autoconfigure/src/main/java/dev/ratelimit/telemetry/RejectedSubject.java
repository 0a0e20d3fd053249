package dev.ratelimit.telemetry;

/**
 * Internal: how often a subject was rejected under a rule. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, hashed where it is shown
 * @param atLeast a lower bound of the number of rejections
 */
public record RejectedSubject(String rule, String subject, long atLeast) {
}
