package dev.ratelimit.live;

import java.util.Optional;

/**
 * One property of a rule that an edit changes. Immutable.
 *
 * @param rule the id of the rule
 * @param property the property, such as {@code limit}
 * @param from its value before; empty if it was not set
 * @param to its value after; empty if it is no longer set
 * @since 0.1.0
 */
public record RuleChange(String rule, String property, Optional<String> from, Optional<String> to) {
}
