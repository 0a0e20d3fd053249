package dev.ratelimit.telemetry;

/**
 * The number of rejections of a subject under a rule. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject; its display name may be a hash
 * @param atLeast a lower bound of the number of rejections
 */
record RejectedSubject(String rule, String subject, long atLeast) {
}
