package dev.ratelimit.live;

/**
 * Internal: a switch that has not ended. Immutable.
 *
 * @param change the switch
 * @param instanceOnly whether the switch applies only to this instance
 */
public record ActiveSwitch(RuleSwitch change, boolean instanceOnly) {
}
