package dev.ratelimit.telemetry;

/**
 * How often a subject was rejected under a rule. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, hashed where it is shown
 * @param atLeast a lower bound of the number of rejections
 */
record RejectedSubject(String rule, String subject, long atLeast) {
}
