package dev.ratelimit.rule;

/**
 * Internal: a rule as one place writes it, without defaults. Immutable.
 *
 * @param location the property or method to name when something is wrong
 * @param definition what is written there
 */
public record WrittenRule(String location, RuleDefinition definition) {
}
