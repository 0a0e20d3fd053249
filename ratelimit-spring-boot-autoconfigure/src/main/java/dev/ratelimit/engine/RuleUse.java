package dev.ratelimit.engine;

/**
 * A rule, applied to somebody. Immutable.
 *
 * @param rule the rule
 * @param subject whose buckets, in canonical form
 * @param cost what is asked for
 * @since 0.1.0
 */
public record RuleUse(CompiledRule rule, String subject, long cost) {
}
